"""The server, with a count of what it holds: at SIGUSR1 it is said on standard error."""

from __future__ import annotations

import gc
import json
import signal
import sys
from types import CoroutineType

from jaxref.lsp.server import serve


def count(*arguments: object) -> None:
    """Say how many objects there are, and how many coroutines."""
    gc.collect()
    objects = gc.get_objects()
    coroutines = sum(isinstance(one, CoroutineType) for one in objects)
    said = json.dumps({"objects": len(objects), "coroutines": coroutines})
    print(f"COUNT {said}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, count)
    sys.exit(serve())
