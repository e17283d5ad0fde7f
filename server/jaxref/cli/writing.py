"""Files changed by fixes: written back, or shown as a difference."""

from __future__ import annotations

import os
import re

from jaxref.cli.loading import Loaded, load
from jaxref.cli.stopping import writing
from jaxref.diagnostics.terminal import Style
from jaxref.source.reading import Unreadable, write_atomically


def write_back(loaded: Loaded, content: str) -> str | None:
    """Replace what was loaded by `content`. Returns in one line why it was not done, else None.

    Encoding, byte order mark and mode stay. A file that was changed meanwhile is left alone.
    """
    path = loaded.target.path
    try:
        data = loaded.file.encode(content)
    except UnicodeEncodeError:
        return f"{loaded.file.encoding} has no such character"
    try:
        there = load(loaded.target).file.content
        if there == content:
            # Another run has done the same.
            return None
        if there != loaded.file.content:
            return "it was changed meanwhile"
        if not os.access(path, os.W_OK):
            # It could be replaced all the same, but somebody protected it.
            return "permission denied"
        with writing():
            write_atomically(path, data)
    except Unreadable:
        return "it was changed meanwhile"
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return None


def write_output(path: str, text: str) -> None:
    """Write `text` to `path`: a file is replaced in one step, a device or pipe is written to. Raises
    `OSError`."""
    data = text.encode("utf-8", "backslashreplace")
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    with writing():
        write_atomically(path, data)


def unified_diff(before: str, after: str, name: str, style: Style) -> str:
    """The difference as `diff -u` writes it."""
    import difflib

    lines = difflib.unified_diff(_LINE.findall(before), _LINE.findall(after), name, name)
    colours = {"+": "green", "-": "red", "@": "cyan"}
    made = []
    for line in lines:
        body = line.rstrip("\r\n")
        colour = colours.get(body[:1])
        made.append(style.paint(body, colour) if colour else body)
        made.append("\n")
        if not line.endswith("\n"):
            made.append("\\ No newline at end of file\n")
    return "".join(made)


_LINE = re.compile(r"[^\n]*\n|[^\n]+")
"""Lines as `diff` has them: form feeds and Unicode separators end none."""
