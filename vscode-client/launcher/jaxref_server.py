"""Run jaxref from the libraries that travel with the extension.

Meant to be started as `python -I -S jaxref_server.py ARGUMENTS`: isolated and without `site`, so that
nothing which is installed, or named by an environment variable or a `.pth` file, can take the place
of a bundled library or run at start-up.
"""

import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 (older interpreters get to see this file)
    found = ".".join(map(str, sys.version_info[:3]))
    sys.exit(
        f"jaxref: Python 3.11 or later is needed to run the server, {sys.executable} is {found}"
    )

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bundled" / "libs"))
    import runpy

    runpy.run_module("jaxref", run_name="__main__", alter_sys=True)
