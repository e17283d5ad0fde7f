"""Drive a target with libFuzzer: coverage of jaxref decides which inputs are kept and changed.

usage: python tests/robustness/fuzz/run.py TARGET [libFuzzer options] [folders with inputs]

Needs `pip install atheris` in an environment that has jaxref's dependencies.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import resource
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[2] / "server"), str(HERE.parent), str(HERE.parents[1] / "lsp")]

import atheris  # type: ignore[import-not-found]  # noqa: E402

with atheris.instrument_imports(include=["jaxref"]):
    import jaxref

    # What is imported only when it is needed would go without instruments.
    for module in pkgutil.walk_packages(jaxref.__path__, "jaxref."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    from targets import TARGETS


STACK = 512 << 20


def main(name: str, options: list[str]) -> None:
    """Fuzz until something is found or libFuzzer's options say that it is enough."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if 0 <= soft < STACK:
        # The main thread, which libFuzzer wants, gets its stack when the process starts.
        resource.setrlimit(resource.RLIMIT_STACK, (STACK if hard < 0 else min(STACK, hard), hard))
        os.execv(sys.executable, [sys.executable, *sys.argv])
    atheris.Setup([sys.argv[0], *options, str(HERE / "corpus" / name)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in TARGETS:
        main(sys.argv[1], sys.argv[2:])
    else:
        sys.exit(f"{__doc__}\ntargets: {', '.join(TARGETS)}")
