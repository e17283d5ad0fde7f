"""Which installed packages are worth reading: those whose sources speak of refs or VJPs at all."""

from __future__ import annotations

import os
import re
import threading

from jaxref.resolve.files import is_regular_file, read_bytes

_WORDS = re.compile(
    rb"new_ref|empty_ref|array_ref|mutable_array|with_refs|fwd_and_bwd|jax\.ref\b|jax\.ad\b"
    rb"|\bvjp\b|\bRef\b"
)
_MOST_FILES = 3000
_MOST_BYTES = 48 * 1024 * 1024
_TEST_FOLDERS = frozenset({"tests", "test", "testing", "_tests", "examples", "benchmarks"})

_known: dict[str, tuple[tuple[int, int], bool]] = {}
_lock = threading.Lock()


def handles_refs(path: str) -> bool:
    """True when the installed module at `path`, or another one of its package, speaks of refs.

    The package is the top-most regular one around the module. Its sources are searched once, and
    again after the package's folder or the one around it has changed, as installers change them.
    One that is too large to search counts as one that does not.
    """
    folder = os.path.dirname(path)
    package = ""
    while (
        is_regular_file(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder
    ):
        package, folder = folder, os.path.dirname(folder)
    if not package:
        return _speaks_of_refs(path)[0]
    try:
        stamp = os.stat(package).st_mtime_ns, os.stat(folder).st_mtime_ns
    except OSError:
        return False
    known = _known.get(package)
    if known is None or known[0] != stamp:
        known = stamp, _search(package)
        with _lock:
            _known[package] = known
    return known[1]


def _search(package: str) -> bool:
    files, size = 0, 0
    for folder, folders, names in os.walk(package):
        folders[:] = [name for name in folders if name not in _TEST_FOLDERS]
        for name in names:
            if not name.endswith(".py") or name.endswith("_test.py") or name.startswith("test_"):
                continue
            found, length = _speaks_of_refs(os.path.join(folder, name))
            if found:
                return True
            files, size = files + 1, size + length
            if files > _MOST_FILES or size > _MOST_BYTES:
                return False
    return False


def _speaks_of_refs(path: str) -> tuple[bool, int]:
    found = read_bytes(path)
    if found is None:
        return False, 0
    content = found[0]
    return b"jax" in content and _WORDS.search(content) is not None, len(content)
