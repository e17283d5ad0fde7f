"""Evaluating an expression: which function does it, by the type of the node."""

from __future__ import annotations

import ast
from collections.abc import Callable

from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    RefValue,
    Sentinel,
    Transformed,
    Value,
    Vjp,
)
from jaxref.interp.machine import Machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HANDLERS: dict[type[ast.AST], Callable[[Machine, Any], Value]] = {}
"""Filled by `expressions`, so that what it imports can evaluate expressions, too."""

_SHOWN = frozenset({RefValue, Vjp, Sentinel, Transformed})


def evaluate(m: Machine, node: ast.expr) -> Value:
    """The abstract value of an expression, its effects applied to the machine's state."""
    m.steps += 1
    handler = HANDLERS.get(type(node))
    if handler is None:
        return UNKNOWN
    value = handler(m, node)
    if type(value) in _SHOWN:
        m.see(node, value)
    return value


def evaluate_optional(m: Machine, node: ast.expr | None) -> Value:
    """`evaluate`, or None's value for no expression."""
    return NONE if node is None else evaluate(m, node)
