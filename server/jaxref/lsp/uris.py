"""File names and the URIs that stand for them."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit


def path_of(uri: str) -> str | None:
    """The absolute path that a `file` URI means, None for every other scheme.

    Bytes that are not UTF-8 come out as Python's own surrogate escapes.
    """
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    if os.name == "nt":
        # It brings the whole of HTTP along, which costs time at the start.
        from urllib.request import url2pathname

        path = url2pathname(f"//{parts.netloc}{parts.path}" if parts.netloc else parts.path)
        return path[:1].lower() + path[1:] if path[1:2] == ":" else path
    # `?` and `#` in a file's name arrive quoted; what follows an unquoted one is no part of it.
    path = unquote(parts.path, errors="surrogateescape")
    return path if path.startswith("/") else None


def uri_of(path: str) -> str:
    """The `file` URI of an absolute path; anything else is taken to be a URI already."""
    return Path(path).as_uri() if os.path.isabs(path) else path
