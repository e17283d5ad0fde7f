"""Environments are found and read from their files alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from jaxref.resolve.environment import (
    EnvironmentNotFound,
    distribution_version,
    find_environment,
    jax_version,
    read_environment,
)


def make_environment(prefix: Path, version: str = "3.12", **config: str) -> Path:
    """A virtual environment's skeleton; gives back its site-packages folder."""
    site_packages = prefix / "lib" / f"python{version}" / "site-packages"
    site_packages.mkdir(parents=True)
    lines = {"home": "/usr/bin", "version": f"{version}.1"} | {
        key.replace("_", "-"): value for key, value in config.items()
    }
    (prefix / "pyvenv.cfg").write_text("".join(f"{key} = {lines[key]}\n" for key in lines))
    return site_packages


def install(site_packages: Path, name: str, version: str) -> None:
    folder = site_packages / f"{name}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\n")


def test_venv_up_the_tree(tmp_path: Path) -> None:
    site_packages = make_environment(tmp_path / "project" / ".venv")
    install(site_packages, "jax", "0.12.0.1")
    deep = tmp_path / "project" / "src" / "package"
    deep.mkdir(parents=True)
    found = find_environment(str(deep), environ={})
    assert found is not None
    assert found.site_packages == (str(site_packages),)
    assert found.python_version == (3, 12, 1)
    assert jax_version(found) == (0, 12, 0, 1)


def test_order_of_the_sources(tmp_path: Path) -> None:
    for name in ("set", "active", "project/.venv", "project/venv", "conda"):
        make_environment(tmp_path / name)
    start = str(tmp_path / "project")
    environ = {
        "VIRTUAL_ENV": str(tmp_path / "active"),
        "CONDA_PREFIX": str(tmp_path / "conda"),
    }

    def prefix(python: str | None, environ: dict[str, str], start: str = start) -> str:
        found = find_environment(start, python, environ)
        assert found is not None
        return os.path.relpath(found.prefix, tmp_path)

    assert prefix("../set", environ) == "set"
    (tmp_path / "project" / "chosen").mkdir()
    make_environment(tmp_path / "project" / "chosen")
    for python, chosen, expected in (
        (None, "chosen", "project/chosen"),
        ("../set", "chosen", "set"),
        (None, "nowhere", "active"),
    ):
        found = find_environment(start, python, environ, chosen=chosen)
        assert found is not None
        assert os.path.relpath(found.prefix, tmp_path) == expected.replace("/", os.sep)
    assert prefix(None, environ) == "active"
    assert prefix(None, {"CONDA_PREFIX": environ["CONDA_PREFIX"]}) == os.path.join(
        "project", ".venv"
    )
    (tmp_path / "project" / ".venv" / "pyvenv.cfg").unlink()
    assert prefix(None, {}) == os.path.join("project", "venv")
    (tmp_path / "project" / "venv" / "pyvenv.cfg").unlink()
    make_environment(tmp_path / "project")
    (tmp_path / "project" / "src").mkdir()
    assert prefix(None, {}, str(tmp_path / "project" / "src")) == "project"
    assert prefix(None, environ | {"VIRTUAL_ENV": "/nowhere"}, str(tmp_path)) == "conda"


def test_no_environment(tmp_path: Path) -> None:
    assert find_environment(str(tmp_path), environ={}) is None
    assert jax_version(None) is None


@pytest.mark.parametrize("python", ["missing", "folder", "file", "no\0name", "python-unheard-of"])
def test_a_setting_that_leads_nowhere_is_one_clear_line(tmp_path: Path, python: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentNotFound, match=r"^setting python: no environment at [^\n]*$"):
        find_environment(str(tmp_path), python, environ={})


def test_interpreter_of_an_environment_is_a_link_elsewhere(tmp_path: Path) -> None:
    site_packages = make_environment(tmp_path / "env")
    (tmp_path / "env" / "bin").mkdir()
    (tmp_path / "env" / "bin" / "python").symlink_to(sys.executable)
    found = find_environment(str(tmp_path), "env/bin/python", environ={})
    assert found is not None
    assert found.site_packages == (str(site_packages),)


def test_interpreter_linked_into_a_folder_of_commands(tmp_path: Path) -> None:
    site_packages = make_environment(tmp_path / "opt", "3.11")
    make_environment(tmp_path / "opt", "3.13")
    (tmp_path / "opt" / "pyvenv.cfg").unlink()
    (tmp_path / "opt" / "bin").mkdir()
    (tmp_path / "opt" / "bin" / "python3.11").write_text("not executed")
    (tmp_path / "commands" / "bin").mkdir(parents=True)
    (tmp_path / "commands" / "bin" / "python").symlink_to(tmp_path / "opt" / "bin" / "python3.11")
    found = find_environment(str(tmp_path), "commands/bin/python", environ={})
    assert found is not None
    assert found.site_packages == (str(site_packages),)
    assert found.python_version == (3, 11)


def test_pyvenv_version_chooses_among_several(tmp_path: Path) -> None:
    older = make_environment(tmp_path, "3.11")
    newer = make_environment(tmp_path, "3.13")
    (tmp_path / "pyvenv.cfg").write_text("version_info = 3.11.7.final.0\n")
    found = read_environment(str(tmp_path))
    assert found is not None and found.site_packages == (str(older),)
    (tmp_path / "pyvenv.cfg").unlink()
    found = read_environment(str(tmp_path))
    assert found is not None and found.site_packages == (str(newer),)


def test_system_packages_only_where_included(tmp_path: Path) -> None:
    base = make_environment(tmp_path / "base")
    home = str(tmp_path / "base" / "bin")
    own = make_environment(tmp_path / "with", home=home, include_system_site_packages="true")
    found = read_environment(str(tmp_path / "with"))
    assert found is not None and found.site_packages == (str(own), str(base))
    make_environment(tmp_path / "without", home=home, include_system_site_packages="false")
    found = read_environment(str(tmp_path / "without"))
    assert found is not None and str(base) not in found.site_packages


def test_lib64_link_is_the_same_folder(tmp_path: Path) -> None:
    site_packages = make_environment(tmp_path)
    (tmp_path / "lib64").symlink_to("lib")
    found = read_environment(str(tmp_path))
    assert found is not None and found.site_packages == (str(site_packages),)


def test_pth_lines_are_paths_or_nothing(tmp_path: Path) -> None:
    site_packages = make_environment(tmp_path / "env")
    project = tmp_path / "elsewhere" / "src"
    project.mkdir(parents=True)
    (site_packages / "inside").mkdir()
    (site_packages / "import inside").mkdir()
    (site_packages / "editable.pth").write_text(
        f"# {project}\n\nimport os; os.mkdir({str(tmp_path / 'executed')!r})\n"
        f"{project}\ninside\nabsent\nimport inside\n",
        "utf-8-sig",
    )
    (site_packages / ".hidden.pth").write_text(str(tmp_path))
    found = read_environment(str(tmp_path / "env"))
    assert found is not None
    assert found.site_packages == (
        str(site_packages),
        str(project),
        str(site_packages / "inside"),
    )
    assert not (tmp_path / "executed").exists()


def test_editable_finder_is_read_as_text(tmp_path: Path) -> None:
    site_packages = make_environment(tmp_path / "env")
    (site_packages / "__editable___mine_0_1_finder.py").write_text(
        "raise SystemExit\nMAPPING: dict[str, str] = {'mine': '/code/mine', 'other': compute()}\n"
    )
    (site_packages / "__editable___broken_finder.py").write_text("MAPPING = {")
    found = read_environment(str(tmp_path / "env"))
    assert found is not None and found.editable == {"mine": "/code/mine"}


@pytest.mark.parametrize(
    ("folder", "metadata", "release"),
    [
        ("jax-0.10.2.dist-info", "Name: jax\nVersion: 0.10.2\n", (0, 10, 2)),
        ("jax-0.11.0.dist-info", None, (0, 11, 0)),
        ("jax-0.11.0.dist-info", "Name: jax\nVersion: 0.12.0.dev20260101+abc\n\n", (0, 12, 0)),
        ("jax-0.9.1.egg-info", None, (0, 9, 1)),
        ("jaxlib-0.12.0.dist-info", "Version: 0.12.0\n", None),
        ("jax_md-0.2.dist-info", "Version: 0.2\n", None),
        ("jax-unreadable.dist-info", "Name: jax\n\nVersion: 9.9\n", None),
    ],
)
def test_jax_version_from_metadata_or_folder(
    tmp_path: Path, folder: str, metadata: str | None, release: tuple[int, ...] | None
) -> None:
    site_packages = make_environment(tmp_path)
    (site_packages / folder).mkdir()
    if metadata is not None:
        (site_packages / folder / "METADATA").write_text(metadata)
    assert jax_version(read_environment(str(tmp_path))) == release


def test_jax_version_of_a_checkout(tmp_path: Path) -> None:
    site_packages = make_environment(tmp_path / "env")
    checkout = tmp_path / "checkout"
    (checkout / "jax").mkdir(parents=True)
    (checkout / "jax" / "version.py").write_text('import os\n_version = "0.11.1"\nos.abort()\n')
    (site_packages / "jax.pth").write_text(str(checkout))
    assert jax_version(read_environment(str(tmp_path / "env"))) == (0, 11, 1)


def test_distribution_names_are_compared_normalised(tmp_path: Path) -> None:
    site_packages = make_environment(tmp_path)
    install(site_packages, "Some_Package.core", "1.2")
    found = read_environment(str(tmp_path))
    assert found is not None
    assert distribution_version(found, "some-package-core") == (1, 2)


def test_special_files_do_not_block(tmp_path: Path) -> None:
    site_packages = make_environment(tmp_path)
    (tmp_path / "pyvenv.cfg").unlink()
    os.mkfifo(tmp_path / "pyvenv.cfg")
    os.mkfifo(site_packages / "trap.pth")
    (site_packages / "jax-0.12.0.dist-info").mkdir()
    os.mkfifo(site_packages / "jax-0.12.0.dist-info" / "METADATA")
    assert jax_version(read_environment(str(tmp_path))) == (0, 12, 0)
