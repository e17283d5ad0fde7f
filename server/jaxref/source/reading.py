"""Files to text as Python reads them, and back without changing what was not edited."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import stat

from jaxref.quick_dataclasses import dataclass


class Unreadable(Exception):
    """A file cannot be read as text; `str()` is one line without the path."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A decoded file. `content` keeps its line ends; a byte order mark is not part of it."""

    content: str
    encoding: str = "utf-8"
    bom: bool = False

    def encode(self, content: str) -> bytes:
        """The bytes of the file with `content` in place of its own.

        Raises `UnicodeEncodeError` where the file's encoding has no such character.
        """
        encoded = content.encode(self.encoding)
        return codecs.BOM_UTF8 + encoded if self.bom else encoded


def read_source(path: str | os.PathLike[str], declared: bool | None = None) -> SourceFile:
    """Read and decode the file at `path`. Raises `Unreadable`.

    An encoding that it declares holds for a Python file; `declared` says whether it is one where the
    name does not.
    """
    try:
        with open(path, "rb") as stream:
            if stat.S_ISDIR(os.fstat(stream.fileno()).st_mode):
                raise Unreadable("is a folder")
            data = stream.read()
    except OSError as error:
        raise Unreadable((error.strerror or str(error)).lower()) from None
    except ValueError:
        raise Unreadable("is not a valid path") from None
    if declared is None:
        declared = str(path).endswith((".py", ".pyi", ".pyw"))
    return decode_source(data, declared)


def decode_source(data: bytes, declared: bool = True) -> SourceFile:
    """Decode `data`. Raises `Unreadable`.

    With `declared`, an encoding declared in the first two lines holds (PEP 263); else it is UTF-8.
    """
    bom = data.startswith(codecs.BOM_UTF8)
    if bom:
        data = data[len(codecs.BOM_UTF8) :]
    encoding = "utf-8"
    if declared:
        encoding = _declared_encoding(data)
        if bom and encoding != "utf-8":
            raise Unreadable(f"has a UTF-8 byte order mark but declares the encoding {encoding}")
    try:
        content = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        remedy = "" if encoding != "utf-8" else "; save it as UTF-8 or declare its encoding"
        name = "UTF-8" if encoding == "utf-8" else encoding
        raise Unreadable(
            f"is not valid {name}: byte 0x{data[error.start]:02x} on line {line}{remedy}"
        ) from None
    except (UnicodeError, ValueError) as error:
        raise Unreadable(f"cannot be decoded as {encoding}: {error}") from None
    return SourceFile(content, encoding, bom)


def _declared_encoding(data: bytes) -> str:
    lines = io.BytesIO(data)
    if b"coding" not in lines.readline() + lines.readline():
        return "utf-8"
    import tokenize

    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        # A codec that is no text encoding (`zlib_codec`) is refused by `encode` with a LookupError.
        "".encode(encoding)
    except SyntaxError as error:
        message = str(error.msg)
        if message.startswith("unknown encoding"):
            raise Unreadable(f"declares an {message}") from None
        return "utf-8"
    except (LookupError, UnicodeError) as error:
        # The codec called `undefined` refuses everything.
        raise Unreadable(f"declares an encoding that is none: {error}") from None
    return "utf-8" if encoding == "utf-8-sig" else encoding


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace the file at `path` by `data` in one step, keeping its mode; a link stays a link.

    A file that is not there is made, for its owner to write and all to read. Raises `OSError`; the file is then as it was.
    """
    import tempfile
    from pathlib import Path

    target = Path(path).resolve()
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        mode = 0o644
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, stat.S_IMODE(mode))
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
