"""Modules that are imported late: found by the index, and without it where it is not of today."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxref import index, late
from jaxref.fixes.builders import remedies_for
from jaxref.jaxmodel.arrays import ARRAY_FUNCTIONS
from jaxref.jaxmodel.registry import DESCRIPTIONS
from jaxref.rules.registry import all_rules, rule_named, rule_names, rules_about

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def old_index(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The index is one of other files."""
    monkeypatch.setattr(index, "SIZES", {package: {} for package in index.SIZES})
    for table in ("RULES", "RULES_BY_FACT", "REMEDIES", "DESCRIPTIONS", "ARRAY_FUNCTIONS"):
        monkeypatch.setattr(index, table, {})
    late.is_current.cache_clear()
    late._modules_by_name.cache_clear()
    yield
    late.is_current.cache_clear()
    late._modules_by_name.cache_clear()


def test_the_index_is_that_of_these_files() -> None:
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "tools" / "index.py"), "--check"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert all(map(late.is_current, index.SIZES))


def test_all_is_found_by_the_index() -> None:
    assert rule_names() == {rule.name for rule in all_rules()}
    for rule in all_rules():
        assert rule_named(rule.name) is rule
        for fact in rule.facts:
            assert rule in rules_about([fact.__name__])
    assert rule_named("no-such-rule") is None
    assert DESCRIPTIONS.get("jax.no_such_function") is None
    assert "jax.numpy.no_such_function" not in ARRAY_FUNCTIONS


def test_only_what_is_asked_for_is_imported() -> None:
    source = (
        "import sys, jaxref.rules.registry as r\n"
        "r.rules_about(['RefTruthTested'])\n"
        "from jaxref.jaxmodel.arrays import ARRAY_FUNCTIONS\n"
        "ARRAY_FUNCTIONS['jax.random.normal']\n"
        "print(*(name for name in sys.modules if name.startswith('jaxref.')))"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    imported = done.stdout.split()
    assert "jaxref.jaxmodel.arrays.random" in imported, done.stderr
    assert "jaxref.jaxmodel.arrays.linalg" not in imported
    assert "jaxref.rules.vmap_closes_over_ref" not in imported


@pytest.mark.usefixtures("old_index")
def test_an_old_index_hides_nothing() -> None:
    assert rule_names() == {rule.name for rule in all_rules()}
    for rule in all_rules():
        assert rule_named(rule.name) is rule
        assert rule in rules_about([])
    remedies_for.cache_clear()
    assert remedies_for("unbound-ref-gradient")
    assert late.Table("jaxref.jaxmodel.arrays", "ARRAY_FUNCTIONS").get("no.such") is None
    assert "jax.numpy.linalg.det" in ARRAY_FUNCTIONS
    assert "jax.vjp" in DESCRIPTIONS


def test_an_import_that_failed_can_be_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep down in a program an import can run out of stack."""
    module = "jaxref.jaxmodel.arrays.nn"
    silu = ARRAY_FUNCTIONS["jax.nn.silu"]
    monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(ARRAY_FUNCTIONS, "_entries", {"jax.nn.silu": silu})
    assert ARRAY_FUNCTIONS["jax.nn.relu"]
