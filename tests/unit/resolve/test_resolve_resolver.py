"""The facade: modules and versions under settings, and which installed modules are worth reading."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from jaxref.resolve import surroundings
from jaxref.resolve.packages import handles_refs
from jaxref.resolve.resolver import Resolver
from jaxref.settings import Settings


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    surroundings._environments.clear()


def plant(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


SITE = ".venv/lib/python3.13/site-packages"


def make_project(folder: Path, files: Mapping[str, str]) -> Resolver:
    plant(folder, {".venv/pyvenv.cfg": "version = 3.13.0\n", "pyproject.toml": "", **files})
    (folder / SITE).mkdir(parents=True, exist_ok=True)
    return Resolver(Settings(), path=str(folder / "main.py"))


def test_version_of_the_environment_and_of_the_settings(tmp_path: Path) -> None:
    resolver = make_project(
        tmp_path, {f"{SITE}/jax-0.11.2.dist-info/METADATA": "Version: 0.11.2\n"}
    )
    assert resolver.jax_version == (0, 11, 2)
    assert resolver.problem is None
    chosen = Resolver(Settings(jax_version=(0, 9)), path=str(tmp_path / "main.py"))
    assert chosen.jax_version == (0, 9)


def test_no_environment_and_no_version(tmp_path: Path) -> None:
    resolver = Resolver(Settings(), path=str(tmp_path / "main.py"))
    assert resolver.environment is None
    assert resolver.jax_version is None


def test_a_setting_that_leads_nowhere_is_said_once_and_survived(tmp_path: Path) -> None:
    settings = Settings(python="nowhere", folder=str(tmp_path))
    resolver = Resolver(settings, path=str(tmp_path / "deep" / "main.py"))
    assert resolver.problem is not None and "nowhere" in resolver.problem
    plant(tmp_path, {"deep/m.py": ""})
    assert resolver.module("m", resolver.path) is not None


def test_relative_settings_count_from_the_settings_file(tmp_path: Path) -> None:
    plant(tmp_path, {"lib/m.py": "", "env/pyvenv.cfg": "", "deep/main.py": ""})
    (tmp_path / "env/lib/python3.12/site-packages").mkdir(parents=True)
    settings = Settings(python="env", roots=("lib",), folder=str(tmp_path))
    resolver = Resolver(settings, path=str(tmp_path / "deep" / "main.py"))
    assert resolver.environment is not None
    found = resolver.module("m", resolver.path)
    assert found is not None and found.path == str(tmp_path / "lib" / "m.py")


@pytest.mark.parametrize("name", ["jax", "jax.numpy", "jaxlib", "numpy", "scipy.special"])
def test_what_is_modelled_is_not_read(tmp_path: Path, name: str) -> None:
    resolver = make_project(
        tmp_path,
        {"jax.py": "", f"{SITE}/numpy/__init__.py": "", f"{SITE}/scipy/special.py": ""},
    )
    assert resolver.module(name, resolver.path) is None


def test_a_relative_module_may_have_any_name(tmp_path: Path) -> None:
    resolver = make_project(tmp_path, {"app/__init__.py": "", "app/jax.py": "", "app/os.py": ""})
    for name in ("jax", "os"):
        found = resolver.module(name, str(tmp_path / "app" / "main.py"), 1)
        assert found is not None and found.name == f"app.{name}"


def test_trees_are_shared_until_the_text_changes(tmp_path: Path) -> None:
    resolver = make_project(tmp_path, {"m.py": "x = 1\n"})
    module = resolver.module("m", resolver.path)
    assert module is not None
    tree = resolver.parsed(module)
    assert tree is not None and resolver.parsed(module) is tree
    overlay = {str(tmp_path / "m.py"): "x = 2\ny = 3\n"}
    edited = Resolver(Settings(), path=resolver.path, overlay=overlay)
    module = edited.module("m", edited.path)
    assert module is not None
    other = edited.parsed(module)
    assert other is not None and len(other.body) == 2


def test_modules_of_the_project_are_always_worth_reading(tmp_path: Path) -> None:
    resolver = make_project(tmp_path, {"plain.py": "def apply(f, x): return f(x)\n"})
    module = resolver.module("plain", resolver.path)
    assert module is not None and resolver.parsed(module) is not None


def test_installed_modules_worth_reading(tmp_path: Path) -> None:
    resolver = make_project(
        tmp_path,
        {
            f"{SITE}/refs/__init__.py": "import jax\nfrom refs.deep.state import make\n",
            f"{SITE}/refs/quiet.py": "x = 1\n",
            f"{SITE}/refs/deep/__init__.py": "",
            f"{SITE}/refs/deep/state.py": "import jax\ndef make(): return jax.new_ref(0)\n",
            f"{SITE}/arrays/__init__.py": "import jax\nPreference = 'no new_re' + 'f'\n",
            f"{SITE}/arrays/ops_test.py": "import jax\njax.new_ref(0)\n",
            f"{SITE}/arrays/tests/all.py": "import jax\njax.new_ref(0)\n",
            f"{SITE}/single.py": "import jax\ny, f_vjp = jax.vjp(jax.numpy.sin, 1.)\n",
            f"{SITE}/alone.py": "import jax\n",
        },
    )
    worth = {}
    for name in ("refs", "refs.quiet", "refs.deep.state", "arrays", "single", "alone"):
        module = resolver.module(name, resolver.path)
        assert module is not None, name
        worth[name] = resolver.parsed(module) is not None
    assert worth == {
        "refs": True,
        "refs.quiet": False,
        "refs.deep.state": True,
        "arrays": False,
        "single": True,
        "alone": False,
    }


def test_an_upgrade_is_looked_at_again(tmp_path: Path) -> None:
    plant(tmp_path, {"package/__init__.py": "import jax\n"})
    module = str(tmp_path / "package" / "__init__.py")
    assert not handles_refs(module)
    plant(
        tmp_path,
        {"package/state.py": "import jax\njax.new_ref(0)\n", "package-2.dist-info/METADATA": ""},
    )
    os.utime(tmp_path / "package", (2_000_000_000, 2_000_000_000))
    assert handles_refs(module)


def test_editable_installations_count_as_the_users_own(tmp_path: Path) -> None:
    resolver = make_project(
        tmp_path / "work", {f"{SITE}/mine.pth": str(tmp_path / "code"), "main.py": ""}
    )
    plant(tmp_path, {"code/mine.py": "def apply(f, x): return f(x)\n"})
    surroundings._environments.clear()
    resolver = Resolver(Settings(), path=resolver.path)
    module = resolver.module("mine", resolver.path)
    assert module is not None and resolver.parsed(module) is not None
