"""`jaxref version`."""

from __future__ import annotations

import argparse
import json
import platform

from jaxref import __version__


def version(options: argparse.Namespace) -> int:
    """Print the version. Returns the exit code."""
    if options.output_format == "json":
        print(json.dumps({"jaxref": __version__, "python": platform.python_version()}))
    else:
        print(f"jaxref {__version__}")
    return 0
