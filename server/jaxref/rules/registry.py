"""All rules: every module of this package that defines `RULE`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from jaxref import rules as package
from jaxref.rules.model import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """The rule book, sorted by name."""
    found = []
    for module in pkgutil.iter_modules(package.__path__):
        rule = getattr(importlib.import_module(f"{package.__name__}.{module.name}"), "RULE", None)
        if isinstance(rule, Rule):
            found.append(rule)
    return tuple(sorted(found, key=lambda rule: rule.name))


def rule_named(name: str) -> Rule | None:
    """The rule of this name, if there is one."""
    return _by_name().get(name)


@cache
def _by_name() -> dict[str, Rule]:
    return {rule.name: rule for rule in all_rules()}


@cache
def rule_names() -> frozenset[str]:
    """The names of all rules."""
    return frozenset(rule.name for rule in all_rules())
