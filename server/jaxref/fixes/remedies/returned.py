"""A ref in the result of a traced function: return its value."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxref.domain.values import RefValue
from jaxref.facts import FunctionTraced
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.given import tree_of
from jaxref.fixes.model import Fix
from jaxref.fixes.operands import POSTFIX, has_value, is_ref_like, read
from jaxref.fixes.program import Program

if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def return_value(program: Program, finding: Finding) -> Fix:
    """`return ref[...]` for a ref that the function made itself."""
    fact = finding.fact
    if not isinstance(fact, FunctionTraced) or fact.returns is None or not fact.returned:
        raise NotPossible
    if fact.trace.kind == "custom_vjp":
        # The residuals of a custom rule go to its other half, which may write them.
        raise NotPossible
    if any(fact.trace.id not in found.traces for _, found in fact.returned):
        # Who called the function has the ref already, and goes on using it.
        raise NotPossible
    span = fact.returns.span
    value = next(
        (
            node.value if isinstance(node, ast.Return) else node
            for node in program.parents
            if isinstance(node, (ast.Return, ast.expr)) and program.span(node) == span
        ),
        None,
    )
    if value is None or fact.returns.path != program.path:
        raise NotPossible
    patch = Patch(program)
    _read_refs(patch, value)
    return patch.fix("Return the value instead of the ref", "unsafe")


def _read_refs(patch: Patch, node: ast.expr) -> None:
    program = patch.program
    match node:
        case ast.Tuple() | ast.List():
            for item in node.elts:
                _read_refs(patch, item)
            return
        case ast.Dict():
            for item in node.values:
                _read_refs(patch, item)
            return
    if has_value(program, node, is_ref_like):
        read(patch, node)
        return
    tree = tree_of(program, node)
    if tree is None or not any(isinstance(leaf.value, RefValue) for leaf in tree.leaves):
        return
    if not all(isinstance(leaf.value, RefValue) for leaf in tree.leaves) or not isinstance(
        node, POSTFIX
    ):
        raise NotPossible
    tree_map = patch.jax("jax.tree.map", node)
    patch.replace(node, f"{tree_map}(lambda ref: ref[...], {program.source(node)})")


REMEDIES = {"ref-returned": (return_value,)}
