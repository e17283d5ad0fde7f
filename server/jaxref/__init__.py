"""jaxref: a borrow checker for JAX refs."""

# As in `typing`, the import of which takes as long as starting Python.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.api import Change as Change
    from jaxref.api import Finding as Finding
    from jaxref.api import Place as Place
    from jaxref.api import Related as Related
    from jaxref.api import Remedy as Remedy
    from jaxref.api import Report as Report
    from jaxref.api import check_paths as check_paths
    from jaxref.api import check_source as check_source

__version__ = "0.1.0"

__all__ = (
    "Change",
    "Finding",
    "Place",
    "Related",
    "Remedy",
    "Report",
    "__version__",
    "check_paths",
    "check_source",
)


def __getattr__(name: str) -> object:
    # The command line imports this package, too, and must start quickly.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    found: object = getattr(importlib.import_module("jaxref.api"), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
