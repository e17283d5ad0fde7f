"""Refs at their beginning and end: frozen too early, made by an old name, made where it cannot be."""

from __future__ import annotations

import ast

from jaxref.facts import NameUsed, RefAccessed, RefMade
from jaxref.fixes.calls import dotted
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.model import Fix
from jaxref.fixes.names import last_part
from jaxref.fixes.operands import POSTFIX
from jaxref.fixes.primals import is_path
from jaxref.fixes.program import Program
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding

CURRENT = {
    "array_ref": "new_ref",
    "mutable_array": "new_ref",
    "ArrayRef": "Ref",
    "MutableArray": "Ref",
}
"""The last part of an older name and that of the present one, which is in `jax`."""


def read_instead_of_freeze(program: Program, finding: Finding) -> Fix:
    """`r[...]` for `jax.freeze(r)` where the ref is needed afterwards."""
    fact = finding.fact
    if not isinstance(fact, RefAccessed) or fact.object.frozen_at is None:
        raise NotPossible
    return _reading(program, program.at(fact.object.frozen_at, ast.Call))


def read_in_other_scope(program: Program, finding: Finding) -> Fix:
    """`r[...]` for `jax.freeze(r)` where the ref is not the scope's own."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefAccessed) or not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    if fact.action == "free":
        return _kept(program, node)
    return _reading(program, node)


def _reading(program: Program, call: ast.Call | None) -> Fix:
    """The content of what a call freezes is read instead."""
    if call is None or call.keywords:
        raise NotPossible
    patch = Patch(program)
    name = _last_name(program, call.func)
    frozen = call.args[0] if call.args else None
    if name == "freeze" and len(call.args) == 1 and isinstance(frozen, POSTFIX):
        text = program.source(frozen)
        lines = "\n" in text or "\r" in text
        (start, end), inner = program.span(call), program.span(frozen)
        patch.replace_span(Span(start, inner.start), "(" if lines else "")
        patch.replace_span(Span(inner.end, end), ")[...]" if lines else "[...]")
        words = program.words(frozen)
        words = "the value" if len(words) > 40 else f"`{words}[...]`"
        return patch.fix(f"Read {words} instead of freezing it", "safe", preferred=True)
    if name in ("map", "tree_map") and len(call.args) == 2 and is_path(call.args[0]):
        if _last_name(program, call.args[0]) == "freeze":
            patch.replace(call.args[0], "lambda ref: ref[...]")
            return patch.fix("Read the values instead of freezing the refs", "safe", preferred=True)
    raise NotPossible


def _last_name(program: Program, node: ast.expr) -> str:
    """The last part of the name that something has where it was imported from."""
    return dotted(program, node).rpartition(".")[2] or last_part(node)


def _kept(program: Program, call: ast.Call) -> Fix:
    """The ref is left to who made it."""
    statement = program.parents.get(call)
    if not isinstance(statement, ast.Expr) or len(call.args) != 1:
        raise NotPossible
    patch = Patch(program)
    block = getattr(program.parents.get(statement), "body", None)
    if not isinstance(block, list) or len(block) < 2 or statement not in block:
        raise NotPossible
    patch.remove_lines(program.span(statement))
    return patch.fix(f"Do not free `{program.words(call.args[0])}` here", "safe", preferred=True)


def present_name(program: Program, finding: Finding) -> Fix:
    """The name that the API has now."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, NameUsed) or not program.has(node):
        raise NotPossible
    current = CURRENT.get(fact.name.rpartition(".")[2])
    if current is None:
        raise NotPossible
    patch = Patch(program)
    if isinstance(node, ast.ImportFrom):
        old = fact.name.rpartition(".")[2]
        _rename_import(patch, node, next((a for a in node.names if a.name == old), None), current)
    elif isinstance(node, ast.alias):
        statement = program.parents.get(node)
        if not isinstance(statement, ast.ImportFrom):
            raise NotPossible
        _rename_import(patch, statement, node, current)
    elif isinstance(node, ast.Attribute):
        patch.replace(node, patch.jax(f"jax.{current}", node))
    else:
        raise NotPossible
    return patch.fix(f"Use `jax.{current}`", "safe", preferred=True)


def _rename_import(
    patch: Patch, statement: ast.ImportFrom, alias: ast.alias | None, current: str
) -> None:
    program = patch.program
    if alias is None or statement.module is None:
        raise NotPossible
    text = f"{current} as {alias.asname or alias.name}"
    if statement.module == "jax":
        patch.replace(alias, text)
    elif len(statement.names) == 1:
        patch.replace(statement, f"from jax import {text}")
    else:
        raise NotPossible
    del program


def make_with_zeros(program: Program, finding: Finding) -> Fix:
    """`jax.new_ref(jnp.zeros(...))` for `jax.empty_ref(...)` outside of jitted code."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefMade) or not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        raise NotPossible
    argument = node.args[0]
    patch = Patch(program)
    new_ref = patch.jax("jax.new_ref", node)
    match argument:
        case ast.Call(args=[shape, dtype], keywords=[]) if program.source(argument.func).endswith(
            "ShapeDtypeStruct"
        ):
            zeros = patch.jax("jax.numpy.zeros", node)
            text = f"{zeros}({program.source(shape)}, {program.source(dtype)})"
        case _ if is_path(argument):
            text = f"{patch.jax('jax.numpy.zeros_like', node)}({program.source(argument)})"
        case _:
            raise NotPossible
    patch.replace(node, f"{new_ref}({text})")
    return patch.fix("Make the ref of zeros: `new_ref`", "safe", preferred=True)


REMEDIES = {
    "write-after-freeze": (read_instead_of_freeze,),
    "use-after-freeze": (read_instead_of_freeze,),
    "freeze-in-other-scope": (read_in_other_scope,),
    "stale-ref-api": (present_name,),
    "empty-ref-outside-jit": (make_with_zeros,),
}
