"""Files are decoded as Python decodes them, and written back as they were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxref.source.reading import Unreadable, decode_source, read_source, write_atomically


@pytest.mark.parametrize(
    ("data", "content", "encoding"),
    [
        (b"x = 1\r\ny\n", "x = 1\r\ny\n", "utf-8"),
        ("é".encode(), "é", "utf-8"),
        (b"# coding: latin-1\n\xe9", "# coding: latin-1\né", "iso-8859-1"),
        (
            b"#!/bin/sh\n# -*- coding: cp1252 -*-\n\x80",
            "#!/bin/sh\n# -*- coding: cp1252 -*-\n€",
            "cp1252",
        ),
        (b"", "", "utf-8"),
        (b"\n\n# coding: latin-1\n", "\n\n# coding: latin-1\n", "utf-8"),
    ],
)
def test_encodings(data: bytes, content: str, encoding: str) -> None:
    file = decode_source(data)
    assert (file.content, file.encoding) == (content, encoding)
    assert file.encode(file.content) == data


def test_a_byte_order_mark_is_kept_out_and_put_back() -> None:
    file = decode_source(b"\xef\xbb\xbfx = 1")
    assert (file.content, file.bom) == ("x = 1", True)
    assert file.encode("y") == b"\xef\xbb\xbfy"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x\n\xff\xfe", "is not valid UTF-8: byte 0xff on line 2; save it as UTF-8 or declare"),
        (b"# coding: nonsense\n", "declares an unknown encoding: nonsense"),
        (b"# coding: rot13\nx", "declares an encoding that is none"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "byte order mark"),
        (b"# coding: ascii\n\xe9", "is not valid ascii: byte 0xe9 on line 2"),
        ("x = 1".encode("utf-16"), "is not valid UTF-8"),
    ],
)
def test_what_cannot_be_decoded_is_said_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(Unreadable) as caught:
        decode_source(data)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_only_python_declares_an_encoding() -> None:
    with pytest.raises(Unreadable):
        decode_source(b"# coding: latin-1\n\xe9", declared=False)


def test_unreadable_paths(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no such file"):
        read_source(tmp_path / "missing.py")
    with pytest.raises(Unreadable, match=r"is a directory|is a folder|permission denied"):
        read_source(tmp_path)
    with pytest.raises(Unreadable, match="not a valid path"):
        read_source("a\0b")


def test_writing_keeps_mode_and_links(tmp_path: Path) -> None:
    file, link = tmp_path / "a.py", tmp_path / "link.py"
    file.write_text("old")
    file.chmod(0o755)
    link.symlink_to(file)
    write_atomically(link, b"new")
    assert file.read_bytes() == b"new"
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o755
    assert sorted(os.listdir(tmp_path)) == ["a.py", "link.py"]


def test_a_failed_write_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.py"
    file.write_text("old")

    def refuse(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no space"):
        write_atomically(file, b"new")
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.py"]
