"""`python -m jaxref`."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        # The current folder, which Python puts first: what lies in it is to be read, not imported.
        del sys.path[0]
    from jaxref.cli.main import run

    run()
