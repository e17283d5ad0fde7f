"""Looks at the file system."""

from __future__ import annotations

from pathlib import Path

from jaxref.resolve.files import LookingOnce, exists, is_folder, is_regular_file


def test_what_paths_are(tmp_path: Path) -> None:
    file, link, broken = tmp_path / "a.py", tmp_path / "link", tmp_path / "broken"
    file.write_text("")
    link.symlink_to(tmp_path)
    broken.symlink_to(tmp_path / "nothing")
    told = {
        path.name: (exists(str(path)), is_regular_file(str(path)), is_folder(str(path)))
        for path in (file, link, broken)
    }
    assert told == {
        "a.py": (True, True, False),
        "link": (True, False, True),
        "broken": (False, False, False),
    }
    assert not exists("a\0b")


def test_a_path_is_looked_at_once_meanwhile_and_anew_afterwards(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    with LookingOnce():
        assert not is_regular_file(str(file))
        file.write_text("")
        assert not is_regular_file(str(file))
        with LookingOnce():
            assert is_regular_file(str(file))
        assert not exists(str(file))
    assert is_regular_file(str(file))
