"""A cotangent that has not the structure of the output."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxref.domain.trees import mismatch
from jaxref.domain.values import Array
from jaxref.facts import VjpApplied
from jaxref.fixes.application import check_bindable
from jaxref.fixes.edits import NotPossible, Patch, call_opening
from jaxref.fixes.model import Fix
from jaxref.fixes.program import Program

if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def as_one(program: Program, finding: Finding) -> Fix:
    """`f_vjp((a, b))` for `f_vjp(a, b)`."""
    fact, call = _call(program, finding)
    if fact.arguments < 2 or call.keywords or fact.arguments != len(call.args):
        raise NotPossible
    out = fact.vjp.out
    if out is not None and (
        out.treedef.kind not in ("tuple", "unknown") or len(out.treedef.children) != len(call.args)
    ):
        raise NotPossible
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        raise NotPossible
    patch = Patch(program)
    patch.insert(call_opening(program, call) + 1, "(")
    patch.insert(program.span(call.args[-1]).end, ")")
    return patch.fix("Put the cotangents into one tuple", "safe", preferred=True)


def other_container(program: Program, finding: Finding) -> Fix:
    """A tuple for a list and the other way round; no tuple around a single cotangent."""
    fact, call = _call(program, finding)
    out, given = fact.vjp.out, fact.cotangent
    if out is None or given is None or len(call.args) != 1 or call.keywords:
        raise NotPossible
    argument = call.args[0]
    wanted, got = out.treedef, given.treedef
    patch = Patch(program)
    source = program.source(argument)
    if (
        got.kind in ("tuple", "list")
        and len(got.children) == 1
        and mismatch(wanted, got.children[0]) is None
    ):
        if isinstance(argument, (ast.Tuple, ast.List)):
            patch.replace(argument, program.source(argument.elts[0]))
        elif isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            patch.insert(program.span(argument).end, "[0]")
        else:
            raise NotPossible
        return patch.fix("Take the cotangent out of its container", "safe", preferred=True)
    alike = len(wanted.children) == len(got.children) and all(
        mismatch(a, b) is None for a, b in zip(wanted.children, got.children, strict=True)
    )
    if not alike or {wanted.kind, got.kind} != {"tuple", "list"}:
        raise NotPossible
    if isinstance(argument, (ast.Tuple, ast.List)):
        items = ", ".join(program.source(item) for item in argument.elts)
        if wanted.kind == "list":
            patch.replace(argument, f"[{items}]")
        else:
            patch.replace(argument, f"({items},)" if len(argument.elts) == 1 else f"({items})")
    else:
        patch.replace(argument, f"{wanted.kind}({source})")
    return patch.fix(f"Make the cotangent a {wanted.kind}", "safe", preferred=True)


def right_number(program: Program, finding: Finding) -> Fix:
    """`1.0` for the cotangent `1` of a scalar; a cast for another dtype."""
    fact, call = _call(program, finding)
    out, given = fact.vjp.out, fact.cotangent
    if out is None or given is None or out.treedef.kind != "leaf" or given.treedef.kind != "leaf":
        raise NotPossible
    if len(call.args) != 1 or call.keywords:
        raise NotPossible
    value, got = out.leaves[0].value, given.leaves[0].value
    argument = call.args[0]
    if not isinstance(value, Array) or value.dtype is None or isinstance(argument, ast.Starred):
        raise NotPossible
    patch = Patch(program)
    if isinstance(argument, ast.Constant) and isinstance(argument.value, (int, bool)):
        if value.shape != () or value.dtype != "float32":
            raise NotPossible
        number = repr(float(argument.value))
        patch.replace(argument, number)
        return patch.fix(f"Give `{number}`", "safe", preferred=True)
    if not isinstance(got, Array) or got.shape != value.shape or got.origin != "jax":
        raise NotPossible
    dtype = patch.jax(f"jax.numpy.{value.dtype}", call)
    source = program.source(argument)
    atom = isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    patch.replace(argument, f"{source if atom else f'({source})'}.astype({dtype})")
    return patch.fix(f"Cast the cotangent to `{value.dtype}`", "safe", preferred=True)


def _call(program: Program, finding: Finding) -> tuple[VjpApplied, ast.Call]:
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, VjpApplied) or not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    check_bindable(program, fact.vjp)
    return fact, node


REMEDIES = {"cotangent-structure": (as_one, other_container, right_number)}
