"""Modules are found where Python would find them, without asking Python."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from jaxref.resolve.files import LARGEST_SOURCE
from jaxref.resolve.modules import ModuleFinder


def plant(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found_path(finder: ModuleFinder, name: str, from_path: Path, level: int = 0) -> str | None:
    found = finder.find(name, str(from_path), level)
    return None if found is None else found.path


def test_neighbour_of_a_script(tmp_path: Path) -> None:
    plant(tmp_path, {"train.py": "", "model.py": "x = 1\n"})
    found = ModuleFinder().find("model", str(tmp_path / "train.py"))
    assert found is not None
    assert (found.path, found.name, found.text) == (str(tmp_path / "model.py"), "model", "x = 1\n")
    assert not found.is_package


def test_relative_imports(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "app/__init__.py": "",
            "app/state.py": "",
            "app/layers/__init__.py": "",
            "app/layers/norm.py": "",
            "app/layers/dense.py": "",
        },
    )
    finder = ModuleFinder()
    norm, package = tmp_path / "app/layers/norm.py", tmp_path / "app/layers/__init__.py"
    assert found_path(finder, "dense", norm, 1) == str(tmp_path / "app/layers/dense.py")
    assert found_path(finder, "dense", package, 1) == str(tmp_path / "app/layers/dense.py")
    assert found_path(finder, "state", norm, 2) == str(tmp_path / "app/state.py")
    assert found_path(finder, "", norm, 1) == str(package)
    assert found_path(finder, "layers.dense", tmp_path / "app/state.py", 1) == str(
        tmp_path / "app/layers/dense.py"
    )
    assert found_path(finder, "dense", norm, 2) is None
    assert found_path(finder, "dense", norm, 40) is None
    found = finder.find("state", str(norm), 2)
    assert found is not None and found.name == "app.state"


def test_absolute_import_of_the_own_package_from_deep_inside(tmp_path: Path) -> None:
    plant(
        tmp_path, {"app/__init__.py": "", "app/a/__init__.py": "", "app/a/b.py": "", "app/c.py": ""}
    )
    inside = tmp_path / "app/a/b.py"
    assert found_path(ModuleFinder(), "app.c", inside) == str(tmp_path / "app/c.py")
    assert ModuleFinder().module_name(str(inside)) == "app.a.b"
    assert ModuleFinder().module_name(str(tmp_path / "app/a/__init__.py")) == "app.a"


@pytest.mark.parametrize("mark", ["pyproject.toml", "setup.py", ".git/HEAD"])
def test_src_layout_and_project_root(tmp_path: Path, mark: str) -> None:
    plant(
        tmp_path,
        {
            mark: "",
            "src/lib/__init__.py": "",
            "src/lib/m.py": "",
            "tools/t.py": "",
            "tests/test_m.py": "",
        },
    )
    test_file = tmp_path / "tests/test_m.py"
    assert found_path(ModuleFinder(), "lib.m", test_file) == str(tmp_path / "src/lib/m.py")
    assert found_path(ModuleFinder(), "tools.t", test_file) == str(tmp_path / "tools/t.py")


def test_repository_around_the_nearest_project(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            ".git/HEAD": "",
            "shared/__init__.py": "",
            "packages/one/pyproject.toml": "",
            "packages/one/scripts/run.py": "",
            "packages/pyproject.toml": "",
            "packages/between.py": "",
        },
    )
    script = tmp_path / "packages/one/scripts/run.py"
    assert found_path(ModuleFinder(), "shared", script) == str(tmp_path / "shared/__init__.py")
    assert found_path(ModuleFinder(), "between", script) is None


@pytest.mark.parametrize(
    "configuration",
    [
        "[tool.setuptools.packages.find]\nwhere = ['server', 3]\n",
        "[tool.setuptools]\npackage-dir = {'' = 'server'}\n",
        "[tool.hatch.build.targets.wheel]\npackages = ['server/lib']\n",
        "[tool.poetry]\npackages = [{include = 'lib', from = 'server'}, 1]\n",
        "[tool.pdm.build]\npackage-dir = 'server'\n",
        "[tool.pytest.ini_options]\npythonpath = 'server'\n",
        "[tool.pyright]\nextraPaths = ['./server/']\n",
        "[tool.mypy]\nmypy_path = '$MYPY_CONFIG_FILE_DIR/server:stubs'\n",
    ],
)
def test_roots_named_by_the_configuration(tmp_path: Path, configuration: str) -> None:
    plant(
        tmp_path,
        {"pyproject.toml": configuration, "server/lib/__init__.py": "", "tests/test_lib.py": ""},
    )
    found = found_path(ModuleFinder(), "lib", tmp_path / "tests/test_lib.py")
    assert found == str(tmp_path / "server/lib/__init__.py")


@pytest.mark.parametrize(
    "configuration",
    [
        "tool = 3",
        "[tool]\nsetuptools = []\nhatch = {build = 1}\npoetry = {packages = {}}\n",
        "[tool.pytest.ini_options]\npythonpath = ['', '.', '..\\u0000', 'absent', '/dev/null']\n",
        "not toml",
        "[" * 5000,
        "\x00",
    ],
)
def test_odd_configuration_names_no_roots(tmp_path: Path, configuration: str) -> None:
    plant(tmp_path, {"pyproject.toml": configuration, "main.py": "", "m.py": ""})
    finder, main = ModuleFinder(), tmp_path / "main.py"
    assert finder.inferred_roots(str(main)) == (str(tmp_path),)
    assert found_path(finder, "m", main) == str(tmp_path / "m.py")


def test_set_roots_go_first(tmp_path: Path) -> None:
    plant(tmp_path, {"app/main.py": "", "app/m.py": "near", "vendored/m.py": "set"})
    finder = ModuleFinder(roots=[str(tmp_path / "vendored")])
    found = finder.find("m", str(tmp_path / "app/main.py"))
    assert found is not None and found.text == "set"


def test_namespace_packages_join_their_portions(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "project/main.py": "",
            "project/space/a.py": "",
            "site/space/b.py": "",
            "site/space/deep/c.py": "",
        },
    )
    finder = ModuleFinder(site_packages=[str(tmp_path / "site")])
    main = tmp_path / "project/main.py"
    assert found_path(finder, "space.a", main) == str(tmp_path / "project/space/a.py")
    assert found_path(finder, "space.b", main) == str(tmp_path / "site/space/b.py")
    assert found_path(finder, "space.deep.c", main) == str(tmp_path / "site/space/deep/c.py")
    space = finder.find("space", str(main))
    assert space is not None and space.is_package and space.is_namespace and space.text == ""


def test_regular_package_beats_namespace_folder_of_the_project(tmp_path: Path) -> None:
    plant(tmp_path, {"main.py": "", "optax/notes.txt": "", "site/optax/__init__.py": "real"})
    finder = ModuleFinder(site_packages=[str(tmp_path / "site")])
    found = finder.find("optax", str(tmp_path / "main.py"))
    assert found is not None and found.text == "real"


def test_package_beats_module_of_the_same_name(tmp_path: Path) -> None:
    plant(tmp_path, {"main.py": "", "m.py": "module", "m/__init__.py": "package"})
    found = ModuleFinder().find("m", str(tmp_path / "main.py"))
    assert found is not None and found.text == "package"


def test_project_beats_environment(tmp_path: Path) -> None:
    plant(tmp_path, {"main.py": "", "m.py": "project", "site/m.py": "installed", "site/n.py": "n"})
    finder = ModuleFinder(site_packages=[str(tmp_path / "site")])
    found = finder.find("m", str(tmp_path / "main.py"))
    assert found is not None and found.text == "project"
    assert found_path(finder, "n", tmp_path / "main.py") == str(tmp_path / "site/n.py")


def test_editable_mapping(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {"code/mine/__init__.py": "", "code/mine/m.py": "", "code/single.py": "", "work/x.py": ""},
    )
    finder = ModuleFinder(
        editable={
            "mine": str(tmp_path / "code/mine"),
            "single": str(tmp_path / "code/single.py"),
            "gone": str(tmp_path / "code/gone"),
        }
    )
    x = tmp_path / "work/x.py"
    assert found_path(finder, "mine.m", x) == str(tmp_path / "code/mine/m.py")
    assert found_path(finder, "single", x) == str(tmp_path / "code/single.py")
    assert found_path(finder, "gone", x) is None


@pytest.mark.parametrize("name", ["os", "dataclasses", "os.path", "typing"])
def test_standard_library_is_not_searched(tmp_path: Path, name: str) -> None:
    plant(tmp_path, {"main.py": "", "os.py": "", "dataclasses.py": "", "typing.py": ""})
    assert ModuleFinder().find(name, str(tmp_path / "main.py")) is None


def test_stub_only_and_compiled_modules_have_no_source(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "main.py": "",
            "stubbed.pyi": "",
            "folder/__init__.pyi": "",
            "other-stubs/__init__.pyi": "",
            "fast.py": "hidden by the compiled module, as in Python",
            "fast" + EXTENSION_SUFFIXES[0]: "",
        },
    )
    for name in ("stubbed", "folder", "other", "other-stubs", "fast"):
        assert ModuleFinder().find(name, str(tmp_path / "main.py")) is None, name


@pytest.mark.parametrize(
    "name", ["", ".", "a\0b", "a/b", "..", "a.b/../c", "\n", ".".join("a" * 99)]
)
def test_names_that_are_no_names(tmp_path: Path, name: str) -> None:
    plant(tmp_path, {"main.py": "", "a/b.py": ""})
    assert ModuleFinder().find(name, str(tmp_path / "main.py")) is None


def test_change_on_disk_is_seen(tmp_path: Path) -> None:
    plant(tmp_path, {"main.py": "", "m.py": "one"})
    finder, main, m = ModuleFinder(), str(tmp_path / "main.py"), tmp_path / "m.py"

    def text() -> str | None:
        found = finder.find("m", main)
        return None if found is None else found.text

    assert text() == "one"
    m.write_text("two")
    assert text() == "two"
    long_ago = 1_000_000_000
    os.utime(m, (long_ago, long_ago))
    assert text() == "two"
    m.write_text("six")
    os.utime(m, (long_ago + 1, long_ago + 1))
    assert text() == "six"
    m.unlink()
    assert text() is None
    (tmp_path / "m").mkdir()
    (tmp_path / "m/__init__.py").write_text("package")
    assert text() == "package"


def test_settled_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {"main.py": "", "m.py": "text"})
    os.utime(tmp_path / "m.py", (1_000_000_000, 1_000_000_000))
    finder = ModuleFinder()
    opened: list[object] = []
    real_open = os.open

    def counting_open(path: str, flags: int) -> int:
        opened.append(path)
        return real_open(path, flags)

    monkeypatch.setattr(os, "open", counting_open)
    for _ in range(3):
        assert finder.find("m", str(tmp_path / "main.py")) is not None
    assert opened == [str(tmp_path / "m.py")]


def test_open_editors_win_and_exist(tmp_path: Path) -> None:
    plant(tmp_path, {"main.py": "", "m.py": "disk"})
    overlay = {
        str(tmp_path / "m.py"): "editor",
        str(tmp_path / "fresh" / "__init__.py"): "unsaved package",
        str(tmp_path / "fresh" / "part.py"): "unsaved module",
    }
    finder, main = ModuleFinder(overlay=overlay), str(tmp_path / "main.py")
    for name, text in (
        ("m", "editor"),
        ("fresh", "unsaved package"),
        ("fresh.part", "unsaved module"),
    ):
        found = finder.find(name, main)
        assert found is not None and found.text == text


def test_dependencies_and_missing_paths_are_noted(tmp_path: Path) -> None:
    plant(tmp_path, {"main.py": "", "m.py": ""})
    finder, main = ModuleFinder(), str(tmp_path / "main.py")
    finder.find("m", main)
    finder.find("later", main)
    assert finder.dependencies == {str(tmp_path / "m.py")}
    assert {str(tmp_path / "later.py"), str(tmp_path / "later/__init__.py")} <= finder.missing


def test_encodings(tmp_path: Path) -> None:
    plant(tmp_path, {"main.py": ""})
    (tmp_path / "latin.py").write_bytes("# coding: latin-1\nx = 'é'\r\n".encode("latin-1"))
    (tmp_path / "bom.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    (tmp_path / "broken.py").write_bytes(b"x = '\xe9'\n")
    (tmp_path / "lying.py").write_bytes(b"# coding: no-such-codec\n")
    finder, main = ModuleFinder(), str(tmp_path / "main.py")
    latin, bom = finder.find("latin", main), finder.find("bom", main)
    assert latin is not None and latin.text == "# coding: latin-1\nx = 'é'\r\n"
    assert bom is not None and bom.text == "x = 1\n"
    assert finder.find("broken", main) is None
    assert finder.find("lying", main) is None


def test_special_and_oversized_files_are_absent(tmp_path: Path) -> None:
    plant(tmp_path, {"main.py": "", "pack/__init__.py": ""})
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "pack/pack").symlink_to(tmp_path / "pack")
    with open(tmp_path / "huge.py", "wb") as stream:
        stream.truncate(LARGEST_SOURCE + 1)
    finder, main = ModuleFinder(), str(tmp_path / "main.py")
    for name in ("pipe", "zero", "folder", "loop", "huge"):
        assert finder.find(name, main) is None, name
    assert finder.find("pack.pack.pack", main) is not None


def test_inferring_roots_ends_in_a_folder_that_contains_itself(tmp_path: Path) -> None:
    plant(tmp_path, {"pack/__init__.py": "", "pack/m.py": ""})
    (tmp_path / "pack/again").symlink_to(tmp_path / "pack")
    path = tmp_path.joinpath("pack", *(["again"] * 30), "m.py")
    assert ModuleFinder().inferred_roots(str(path))[0] == str(tmp_path)
