"""All rules: every module of this package that defines `RULE`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from types import ModuleType

from jaxref.late import all_modules, modules_with, names_in
from jaxref.rules.model import Rule

_PACKAGE = "jaxref.rules"


@cache
def all_rules() -> tuple[Rule, ...]:
    """The rule book, sorted by name."""
    return _rules_in(all_modules(_PACKAGE))


def rules_about(facts: Collection[str]) -> tuple[Rule, ...]:
    """The rules that can find something in facts of the types called so, sorted by name."""
    return _rules_in(modules_with(_PACKAGE, "RULES_BY_FACT", tuple(facts)))


def rule_named(name: str) -> Rule | None:
    """The rule of this name, if there is one."""
    found = _rules_in(modules_with(_PACKAGE, "RULES", (name,)))
    return next((rule for rule in found if rule.name == name), None)


@cache
def rule_names() -> frozenset[str]:
    """The names of all rules."""
    known = names_in(_PACKAGE, "RULES")
    return frozenset(rule.name for rule in all_rules()) if known is None else known


def _rules_in(modules: Iterable[ModuleType]) -> tuple[Rule, ...]:
    found = []
    for module in modules:
        rule = getattr(module, "RULE", None)
        if isinstance(rule, Rule):
            found.append(rule)
    return tuple(sorted(found, key=lambda rule: rule.name))
