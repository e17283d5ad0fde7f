"""Indices that arrays take and refs do not."""

from __future__ import annotations

import ast

from jaxref.domain.values import Array, ListV
from jaxref.facts import RefAccessed
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.model import Fix
from jaxref.fixes.operands import POSTFIX
from jaxref.fixes.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def array_index(program: Program, finding: Finding) -> Fix:
    """`r[jnp.array([0, 2])]` for `r[[0, 2]]`."""
    _, node = _subscript(program, finding)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    patch = Patch(program)
    for part in parts:
        values = program.value(part)
        if isinstance(part, ast.List) or (values and all(isinstance(v, ListV) for v in values)):
            patch.replace(part, f"{patch.jax('jax.numpy.array', node)}({program.source(part)})")
    return patch.fix("Make the index an array", "safe", preferred=True)


def index_the_value(program: Program, finding: Finding) -> Fix:
    """`r[...][mask]` for `r[mask]`."""
    fact, node = _subscript(program, finding)
    if (
        fact.action != "read"
        or not isinstance(node.ctx, ast.Load)
        or not isinstance(node.value, POSTFIX)
    ):
        raise NotPossible
    if any(trace.staged for trace in fact.site.traces):
        # A mask has no known number of true items there.
        raise NotPossible
    if not any(isinstance(item, Array) and item.dtype == "bool" for item in fact.index or ()):
        raise NotPossible
    patch = Patch(program)
    patch.insert(program.span(node.value).end, "[...]")
    return patch.fix("Read the value, and index that", "safe", preferred=True)


def _subscript(program: Program, finding: Finding) -> tuple[RefAccessed, ast.Subscript]:
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefAccessed) or not program.has(node):
        raise NotPossible
    if not isinstance(node, ast.Subscript):
        statement = program.statement(node)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Subscript):
            raise NotPossible
        node = target
    return fact, node


REMEDIES = {"ref-index": (array_index, index_the_value)}
