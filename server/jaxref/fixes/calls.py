"""The calls by which JAX runs a function of the file: which functions, and which argument goes where."""

from __future__ import annotations

import ast

from jaxref.domain.values import Transformed
from jaxref.fixes.callees import Callee, callee
from jaxref.fixes.edits import NotPossible
from jaxref.fixes.names import imported
from jaxref.fixes.program import Program
from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument: its expression, and the position or name of the parameter that takes it."""

    node: ast.expr
    key: int | str


@dataclass(frozen=True, slots=True)
class TracedCall:
    """A call that runs `functions`, one of them or each, with the operands.

    `node` are the expressions the functions came from. `mapped`: the functions see items of the operands.
    """

    nodes: tuple[ast.expr, ...]
    operands: tuple[Operand, ...]
    mapped: bool = False

    def callees(self, program: Program) -> tuple[Callee, ...]:
        """The functions. Raises `NotPossible` where one is not known or not of this file."""
        return tuple(callee(program, node) for node in self.nodes)


def traced_call(program: Program, node: ast.AST) -> TracedCall:
    """What a call of a transformed function, or of `jax.vjp`, `jax.lax.cond` and their like, runs.

    Raises `NotPossible` for other calls, and where arguments are starred.
    """
    if not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    args, keywords = node.args, {one.arg: one.value for one in node.keywords}
    if any(isinstance(one, ast.Starred) for one in args) or None in keywords:
        raise NotPossible
    name = dotted(program, node.func)
    if not name.startswith("jax."):
        named = [Operand(value, str(name)) for name, value in keywords.items()]
        kinds = {one.kind for one in program.value(node.func) if isinstance(one, Transformed)}
        return TracedCall((node.func,), (*_numbered(args), *named), kinds == {"vmap"})
    match name.rpartition(".")[2], args:
        case "vjp", [function, *primals]:
            return TracedCall((function,), _numbered(primals))
        case "cond", [_, yes, no, *operands]:
            return TracedCall((yes, no), _numbered(operands))
        case "switch", [_, ast.List(elts=branches) | ast.Tuple(elts=branches), *operands]:
            return TracedCall(tuple(branches), _numbered(operands))
        case "scan", [body, _, xs, *_]:
            return TracedCall((body,), (Operand(xs, 1),), True)
        case "scan", [body, _] if "xs" in keywords:
            return TracedCall((body,), (Operand(keywords["xs"], 1),), True)
        case "map", [body, xs]:
            return TracedCall((body,), (Operand(xs, 0),), True)
    raise NotPossible


def _numbered(nodes: list[ast.expr]) -> tuple[Operand, ...]:
    return tuple(Operand(node, index) for index, node in enumerate(nodes))


def dotted(program: Program, node: ast.expr) -> str:
    """The dotted name of what an expression was imported as, e.g. `jax.lax.scan`; "" for anything else."""
    if isinstance(node, ast.Attribute):
        owner = dotted(program, node.value)
        return f"{owner}.{node.attr}" if owner else ""
    if not isinstance(node, ast.Name):
        return ""
    binder = program.scope(node).binder(node.id)
    if binder is None:
        return ""
    # `import jax` and `import jax.numpy` bind one name to one thing.
    means = {imported(one, program) for one in binder.bound[node.id]}
    return (means.pop() or "") if len(means) == 1 else ""
