"""Names for code that fixes add: the file's own for JAX, and fresh ones that clash with none."""

from __future__ import annotations

import ast
import builtins
import keyword

from jaxref.fixes.program import Program
from jaxref.fixes.scopes import Scope
from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spelling:
    """How to write a dotted name of JAX in a place; `needs_import` when `import jax` must be added."""

    text: str
    needs_import: bool = False


def imported(alias: ast.AST, program: Program) -> str | None:
    """The dotted name that an import alias binds its name to, as far as it is absolute."""
    if not isinstance(alias, ast.alias):
        return None
    statement = program.parents.get(alias)
    if isinstance(statement, ast.Import):
        return alias.name if alias.asname else alias.name.partition(".")[0]
    if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
        return f"{statement.module}.{alias.name}"
    return None


def spelling(program: Program, dotted: str, at: ast.AST) -> Spelling | None:
    """How code at the node `at` writes `jax...`; None where the name `jax` means something else.

    The longest import of the file that leads there is used: `new_ref` after `from jax import new_ref`,
    `jnp.zeros_like` after `import jax.numpy as jnp`, else `jax.` and the rest.
    """
    scope = program.function_scope(at)
    limit = program.span(at).start
    best: tuple[int, str] | None = None
    for name, means in _jax_names(program, scope, limit).items():
        if dotted == means or dotted.startswith(means + "."):
            rest = dotted[len(means) :]
            if best is None or len(means) > best[0]:
                best = (len(means), name + rest)
    if best is not None:
        return Spelling(best[1])
    if scope.binder("jax") is not None:
        return None
    return Spelling(dotted, needs_import=True)


def _jax_names(program: Program, scope: Scope, limit: int) -> dict[str, str]:
    """The names visible from `scope` that are bound to parts of JAX by an import and nothing else."""
    found: dict[str, str] = {}
    hidden: set[str] = set()
    for index, around in enumerate(scope.around()):
        for name, nodes in around.bound.items():
            if name in hidden:
                continue
            hidden.add(name)
            meanings = {imported(node, program) for node in nodes}
            if len(meanings) != 1:
                continue
            means = meanings.pop()
            if means is None or means.partition(".")[0] != "jax":
                continue
            # In the own scope, what is imported further down is not there yet.
            if index == 0 and all(program.span(node).start > limit for node in nodes):
                continue
            if not all(_unconditional(program, node) for node in nodes):
                continue
            found[name] = (
                "jax.new_ref" if means in ("jax.ref.new_ref", "jax._src.core.new_ref") else means
            )
    return found


def _unconditional(program: Program, alias: ast.AST) -> bool:
    for node in program.ancestors(alias):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
            return True
        if isinstance(
            node, (ast.If, ast.Try, ast.TryStar, ast.ExceptHandler, ast.For, ast.While, ast.Match)
        ):
            return False
    return True


def import_sibling(program: Program) -> ast.stmt | None:
    """The first import of something of JAX at module level; `import jax` goes before it."""
    for statement in program.tree.body:
        if isinstance(statement, ast.Import):
            if any(alias.name.partition(".")[0] == "jax" for alias in statement.names):
                return statement
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            if (statement.module or "").partition(".")[0] == "jax":
                return statement
    return None


def last_part(node: ast.expr) -> str:
    """The name behind the last dot of a dotted name; "" for anything else."""
    match node:
        case ast.Attribute():
            return node.attr
        case ast.Name():
            return node.id
    return ""


def names_taken(scope: Scope) -> set[str]:
    """Names that a new local of `scope` must not have: those it or inner code binds or reads."""
    names = set(dir(builtins)) | set(scope.bound) | set(scope.read) | scope.declared
    # A name that an inner scope reads from further out would be caught by the new binding; one that
    # it binds itself would not, yet the same name for two things is hard to read.
    waiting = list(scope.inner)
    while waiting:
        inner = waiting.pop()
        names |= set(inner.bound) if not isinstance(scope.node, ast.Module) else set()
        names |= inner.declared
        waiting += inner.inner
    for outer in scope.around():
        if outer is not scope:
            names |= set(outer.bound) if not isinstance(outer.node, ast.Module) else set()
    return names


def fresh(base: str, scope: Scope, also: set[str] | None = None) -> str:
    """`base`, or with a number behind it, so that it is new in `scope` and not in `also`."""
    names = names_taken(scope) | (also or set())
    module = next(iter([outer for outer in scope.around() if isinstance(outer.node, ast.Module)]))
    if scope is not module:
        # A local of the same name as a global that this function does not read is legal but confusing.
        names |= set(module.bound)
    candidate, number = base, 2
    while candidate in names or keyword.iskeyword(candidate):
        candidate = f"{base}{number}" if not base[-1].isdigit() else f"{base}_{number}"
        number += 1
    return candidate


def gradient_name(expression: ast.AST | None, fallback: str = "") -> str:
    """What to call the gradient of an expression: `state_ref` -> `state_grad_ref`, `w` -> `w_grad`."""
    base = (_base(expression) or fallback).strip("_") or "ref"
    if base.isupper():
        base = base.lower()
    if base in ("ref", "r"):
        return "grad_ref"
    if base == "refs":
        return "grad_refs"
    for ending in ("_ref", "_refs"):
        if base.endswith(ending):
            return f"{base[: -len(ending)]}_grad{ending}"
    return f"{base}_grad"


def _base(node: ast.AST | None) -> str:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr.strip("_")
        case ast.Subscript(slice=ast.Constant(value=str(key))) if key.isidentifier():
            return key
        case ast.Subscript():
            return _base(node.value)
        case ast.Call(func=ast.Attribute(value=owner, attr="values" | "items")):
            return _base(owner)
    return ""
