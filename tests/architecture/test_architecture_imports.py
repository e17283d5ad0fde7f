"""What is imported when: the promises about layers and about starting quickly."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

PRODUCT = Path(__file__).parents[2] / "server" / "jaxref"
IRRELEVANT = "import os\n\nx = os.environ\nprint(x)\n"
MISTAKEN = """import jax
import jax.numpy as jnp
value, f_vjp = jax.vjp(lambda r: r[...].sum(), jax.new_ref(jnp.zeros(3)))
f_vjp(value)
"""


def imported_by(folder: Path, *arguments: str) -> set[str]:
    """The modules that `jaxref` with `arguments` imports."""
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from jaxref.cli.main import main\n"
        f"code = main({list(arguments)!r})\n"
        "modules = sorted(set(sys.modules) - before)\n"
        "import json\n"
        "print(json.dumps(modules), file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PRODUCT.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_a_file_without_refs_wakes_neither_jedi_nor_pygls(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IRRELEVANT)
    (tmp_path / "n.md").write_text(f"```python\n{IRRELEVANT}```\n")
    modules = imported_by(tmp_path, "check", "--output-format", "json")
    assert "jaxref.engine" in modules
    assert modules.isdisjoint({"jedi", "parso", "pygls", "lsprotocol", "jax", "numpy", "asyncio"})


@pytest.mark.parametrize("arguments", [["--version"], ["version"], ["check", "--help"]])
def test_starting_is_quick(tmp_path: Path, arguments: list[str]) -> None:
    modules = imported_by(tmp_path, *arguments)
    heavy = {"jedi", "parso", "pygls", "lsprotocol", "jaxref.engine", "jaxref.lsp", "asyncio"}
    assert modules.isdisjoint(heavy)


def test_a_check_does_without_what_is_slow_to_import(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MISTAKEN)
    modules = imported_by(tmp_path, "check", "--no-cache", "--exit-zero")
    assert "jaxref.fixes.application" in modules
    slow = {"typing", "dataclasses", "inspect", "argparse", "tempfile", "logging", "pathspec"}
    assert modules.isdisjoint(slow)


def test_the_server_starts_without_ssl_and_keeps_nobody_from_it() -> None:
    code = (
        "import sys, jaxref.lsp.server\n"
        "assert 'asyncio' in sys.modules and 'ssl' not in sys.modules\n"
        "import ssl\n"
        "assert ssl.create_default_context()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(PRODUCT.parent)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def all_imports() -> list[tuple[Path, str]]:
    found = []
    for path in sorted(PRODUCT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found += [(path, alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                found.append((path, node.module))
    return found


def importers_of(*packages: str) -> set[str]:
    return {
        path.relative_to(PRODUCT).as_posix()
        for path, module in all_imports()
        if module.split(".")[0] in packages
    }


def test_jedi_is_imported_in_one_module() -> None:
    assert importers_of("jedi", "parso") == {"resolve/jedi_backend.py"}


def test_only_lsp_knows_the_protocol() -> None:
    outside = {path for path in importers_of("pygls", "lsprotocol") if not path.startswith("lsp/")}
    assert outside == set()


def test_jax_is_never_imported() -> None:
    assert importers_of("jax", "jaxlib", "numpy") == set()


def test_nothing_of_a_workspace_can_be_executed() -> None:
    """No module that could start a process or import by name, outside of what is listed here."""
    starting = importers_of("subprocess", "multiprocessing", "importlib", "runpy", "pty")
    assert starting <= {
        # The suffixes of compiled modules, a constant.
        "resolve/modules.py",
        # Modules of its own packages, by the names they have on disk.
        "late.py",
        # lsprotocol, whose classes are executed late.
        "lsp/late_protocol.py",
        # The interface for Python, which is imported when it is first asked for.
        "__init__.py",
        # Worker processes of jaxref itself.
        # Where jedi lies, whose files are part of a key; finding it imports nothing.
        "cli/cache.py",
        "cli/workers.py",
    }
    for path in PRODUCT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                executing = {"exec", "eval", "__import__", "compile"}
                if path.name == "quick_dataclasses.py":
                    # Methods made from the names of the fields that its own classes have.
                    executing.discard("exec")
                assert node.func.id not in executing, path


def test_the_product_compiles_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for path in PRODUCT.rglob("*.py"):
            compile(path.read_text(encoding="utf-8"), path, "exec")


def test_relative_imports_are_not_used() -> None:
    for path in PRODUCT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level), path
