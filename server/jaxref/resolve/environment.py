"""The environment of a project, read from its files: no interpreter is started, nothing imported."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from jaxref.quick_dataclasses import dataclass, field
from jaxref.resolve.files import is_folder, is_regular_file, read_bytes

_SMALL_FILE = 256 * 1024
_LIB_FOLDER = r"python(\d+)\.(\d+)t?$"
_VERSION = r"\s*v?(\d+(?:\.\d+)*)"
_CODE_LINE = ("import ", "import\t")


@dataclass(frozen=True, slots=True)
class Environment:
    """One Python environment on disk.

    `site_packages` holds existing folders in the order in which Python would search them, those
    named by `.pth` files included. `editable` leads from a top-level module name to the folder or
    file that an editable installation maps it to. `origin` says in words what led here.
    """

    prefix: str
    site_packages: tuple[str, ...]
    python_version: tuple[int, ...] | None = None
    editable: Mapping[str, str] = field(default_factory=dict)
    origin: str = ""


class EnvironmentNotFound(Exception):
    """The setting `python` leads to no environment; the message is one line for the user."""


def find_environment(
    start: str,
    python: str | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    chosen: str | None = None,
) -> Environment | None:
    """The environment for the project that holds the folder `start`.

    Asked in this order: the setting `python` (an interpreter or an environment's folder, relative
    to `start`), what the editor has `chosen`, VIRTUAL_ENV, in `start` and the folders above `.venv`,
    `venv` and the folder itself, CONDA_PREFIX.
    Raises `EnvironmentNotFound` only when `python` is given and leads nowhere.
    """
    environ = os.environ if environ is None else environ
    start = os.path.abspath(start)
    if python:
        named = _named_environment(start, python, "setting python")
        if named is None:
            raise EnvironmentNotFound(
                f"setting python: no environment at {python!r};"
                " give an interpreter or the folder of a virtual environment"
            )
        return named
    if chosen:
        named = _named_environment(start, chosen, "the editor")
        if named is not None:
            return named
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if variable == "CONDA_PREFIX":
            for folder in _upwards(start):
                for prefix in (*(os.path.join(folder, name) for name in (".venv", "venv")), folder):
                    if is_regular_file(os.path.join(prefix, "pyvenv.cfg")):
                        found = read_environment(prefix, origin=prefix)
                        if found is not None:
                            return found
        value = environ.get(variable)
        if value:
            found = read_environment(os.path.abspath(value), origin=variable)
            if found is not None:
                return found
    return None


def read_environment(
    prefix: str, *, version: tuple[int, int] | None = None, origin: str = ""
) -> Environment | None:
    """The environment in the folder `prefix`, or None when it has no folder of packages.

    `version` chooses among several `lib/pythonX.Y`; without it pyvenv.cfg does, else the newest.
    """
    config = _pyvenv_config(prefix)
    stated = _release(config.get("version_info") or config.get("version") or "")
    if stated is not None and len(stated) >= 2:
        version = version or (stated[0], stated[1])
    folders = _package_folders(prefix, version)
    if config.get("include-system-site-packages", "").lower() == "true" and config.get("home"):
        folders += _package_folders(_prefix_of_home(config["home"]), version)
    if not folders:
        return None
    if stated is None:
        stated = _version_of_folders(folders)
    site_packages: dict[str, None] = {}
    editable: dict[str, str] = {}
    for folder in folders:
        site_packages.setdefault(folder)
        for path in _paths_of_pth_files(folder):
            site_packages.setdefault(path)
        editable.update(_editable_mappings(folder))
    return Environment(prefix, tuple(site_packages), stated, editable, origin)


def jax_version(environment: Environment | None) -> tuple[int, ...] | None:
    """The release of the JAX that is installed there, such as (0, 12, 0, 1); None when none is.

    From the metadata of the distribution, else from its folder's name, else (a JAX that is a
    checkout on the path) from the assignment in `jax/version.py`, read as text.
    """
    if environment is None:
        return None
    return distribution_version(environment, "jax") or _version_of_checkout(environment)


def distribution_version(environment: Environment, name: str) -> tuple[int, ...] | None:
    """The release number of an installed distribution, read from its dist-info or egg-info."""
    wanted = _normalised(name)
    for folder in environment.site_packages:
        try:
            with os.scandir(folder) as entries:
                found = [
                    entry.name
                    for entry in entries
                    if entry.name.endswith((".dist-info", ".egg-info"))
                    and _normalised(entry.name.rpartition(".")[0].partition("-")[0]) == wanted
                ]
        except OSError:
            continue
        for entry_name in sorted(found, reverse=True):
            metadata_name = "METADATA" if entry_name.endswith(".dist-info") else "PKG-INFO"
            release = _metadata_version(os.path.join(folder, entry_name, metadata_name))
            if release is None:
                release = _release(entry_name.rpartition(".")[0].partition("-")[2])
            if release is not None:
                return release
    return None


def _named_environment(start: str, python: str, origin: str) -> Environment | None:
    path = os.path.expanduser(python)
    if os.sep not in path and not (os.altsep and os.altsep in path):
        beside = os.path.join(start, path)
        if not os.path.lexists(beside):
            import shutil

            path = shutil.which(path) or beside
    path = os.path.normpath(os.path.join(start, path))
    if is_folder(path):
        return read_environment(path, origin=origin)
    if not is_regular_file(path):
        return None
    # A virtual environment's interpreter is a link to the base one, and the packages lie around the
    # link; a link in a folder of commands has its packages around its target.
    for executable in (path, os.path.realpath(path)):
        folder = os.path.dirname(executable)
        prefix = os.path.dirname(folder) if _is_command_folder(folder) else folder
        numbered = re.search(r"python(\d+)\.(\d+)", os.path.basename(executable))
        version = (int(numbered[1]), int(numbered[2])) if numbered else None
        found = read_environment(prefix, version=version, origin=origin)
        if found is not None:
            return found
    return None


def _is_command_folder(folder: str) -> bool:
    return os.path.basename(folder).lower() in {"bin", "scripts"}


def _prefix_of_home(home: str) -> str:
    return os.path.dirname(home) if _is_command_folder(home) else home


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def _small_text(path: str) -> str | None:
    found = read_bytes(path, _SMALL_FILE)
    return None if found is None else found[0].decode("utf-8-sig", "replace")


def _pyvenv_config(prefix: str) -> dict[str, str]:
    text = _small_text(os.path.join(prefix, "pyvenv.cfg")) or ""
    config: dict[str, str] = {}
    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals:
            config[key.strip().lower()] = value.strip()
    return config


def _package_folders(prefix: str, version: tuple[int, int] | None) -> list[str]:
    """Existing folders of packages under `prefix`, the ones that Python would take."""
    candidates: list[str] = []
    numbered: list[tuple[tuple[int, int], str]] = []
    for lib in ("lib", "lib64", os.path.join("local", "lib")):
        folder = os.path.join(prefix, lib)
        try:
            with os.scandir(folder) as entries:
                names = [entry.name for entry in entries]
        except OSError:
            continue
        for name in names:
            match = re.match(_LIB_FOLDER, name)
            if match:
                number = (int(match[1]), int(match[2]))
                numbered.append((number, os.path.join(folder, name)))
    with_packages = [
        (number, os.path.join(folder, kind))
        for number, folder in numbered
        for kind in ("site-packages", "dist-packages")
        if is_folder(os.path.join(folder, kind))
    ]
    if version is not None and any(number == version for number, _ in numbered):
        with_packages = [entry for entry in with_packages if entry[0] == version]
    elif with_packages:
        newest = max(number for number, _ in with_packages)
        with_packages = [entry for entry in with_packages if entry[0] == newest]
    candidates += [folder for _, folder in with_packages]
    # Debian's packages and Windows installations have no version in the folder's name.
    candidates.append(os.path.join(prefix, "lib", "python3", "dist-packages"))
    candidates.append(os.path.join(prefix, "Lib", "site-packages"))
    seen: set[tuple[int, int]] = set()
    folders: list[str] = []
    for folder in candidates:
        try:
            status = os.stat(folder)
        except OSError:
            continue
        identity = (status.st_dev, status.st_ino)
        # `lib64` is a link to `lib`, and `Lib` is `lib` where case does not count.
        if is_folder(folder) and (identity not in seen or identity == (0, 0)):
            seen.add(identity)
            folders.append(folder)
    return folders


def _version_of_folders(folders: list[str]) -> tuple[int, ...] | None:
    for folder in folders:
        match = re.match(_LIB_FOLDER, os.path.basename(os.path.dirname(folder)))
        if match:
            return int(match[1]), int(match[2])
    return None


def _paths_of_pth_files(folder: str) -> Iterator[str]:
    """Folders named by `.pth` files; lines that Python would execute are passed over."""
    try:
        names = sorted(
            name for name in os.listdir(folder) if name.endswith(".pth") and name[0] != "."
        )
    except OSError:
        return
    for name in names:
        for line in (_small_text(os.path.join(folder, name)) or "").splitlines():
            line = line.strip()
            if not line or line.startswith("#") or line.startswith(_CODE_LINE) or "\0" in line:
                continue
            path = os.path.normpath(os.path.join(folder, line))
            if is_folder(path):
                yield path


def _editable_mappings(folder: str) -> dict[str, str]:
    """What setuptools' finders of editable installations map, read from their text.

    Such a finder is a module with `MAPPING = {"package": "/path/to/package"}`; only this literal is
    looked at.
    """
    mappings: dict[str, str] = {}
    try:
        names = sorted(
            name
            for name in os.listdir(folder)
            if name.startswith("__editable__") and name.endswith("_finder.py")
        )
    except OSError:
        return mappings
    for name in names:
        text = _small_text(os.path.join(folder, name))
        if text is None:
            continue
        mappings.update(_mapping_in(text))
    return mappings


def _mapping_in(text: str) -> dict[str, str]:
    # Few environments have any, and `ast` takes a while to import.
    import ast

    mapping: dict[str, str] = {}
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return mapping
    for statement in statements:
        match statement:
            case ast.AnnAssign(target=ast.Name(id="MAPPING"), value=ast.Dict() as literal):
                pass
            case ast.Assign(targets=[ast.Name(id="MAPPING")], value=ast.Dict() as literal):
                pass
            case _:
                continue
        for key, value in zip(literal.keys, literal.values, strict=True):
            match key, value:
                case ast.Constant(value=str(module)), ast.Constant(value=str(path)):
                    mapping[module] = path
    return mapping


def _metadata_version(path: str) -> tuple[int, ...] | None:
    for line in (_small_text(path) or "").splitlines():
        if not line:
            return None
        key, _, value = line.partition(":")
        if key.lower() == "version":
            return _release(value)
    return None


def _version_of_checkout(environment: Environment) -> tuple[int, ...] | None:
    folders = [os.path.join(folder, "jax") for folder in environment.site_packages]
    if "jax" in environment.editable:
        folders.insert(0, environment.editable["jax"])
    for folder in folders:
        text = _small_text(os.path.join(folder, "version.py")) or ""
        match = re.search(r"^_version\s*=\s*['\"]([^'\"]+)['\"]", text, re.MULTILINE)
        if match:
            return _release(match[1])
    return None


def _release(text: str) -> tuple[int, ...] | None:
    match = re.match(_VERSION, text)
    return tuple(int(part) for part in match[1].split(".")) if match else None


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
