"""One ref that was meant to be many: `[jax.new_ref(x)] * 2`, `dict.fromkeys(names, jax.new_ref(x))`."""

from __future__ import annotations

import ast

from jaxref.facts import FunctionTraced
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.model import Fix
from jaxref.fixes.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def make_each(program: Program, finding: Finding) -> Fix:
    """`[jax.new_ref(x) for _ in range(2)]`, `{name: jax.new_ref(x) for name in names}`."""
    fact = finding.fact
    if not isinstance(fact, FunctionTraced):
        raise NotPossible
    ids = [ref.id for ref, _, _ in fact.passed]
    places = {
        found.span
        for ref, found, _ in fact.passed
        if ids.count(ref.id) > 1 and found.path == program.path
    }
    made = [
        node
        for node in program.parents
        if isinstance(node, ast.Call) and program.span(node) in places
    ]
    if len(made) != 1:
        raise NotPossible
    whole = program.parents[made[0]]
    if isinstance(whole, (ast.List, ast.Tuple)):
        whole = program.parents[whole]
    patch = Patch(program)
    patch.replace(whole, _text(program, whole, made[0]))
    return patch.fix("Make a ref for each item", "safe", preferred=True)


def _text(program: Program, whole: ast.AST, made: ast.Call) -> str:
    text = program.source(made)
    match whole:
        case (
            ast.BinOp(op=ast.Mult(), left=(ast.List() | ast.Tuple()) as items, right=count)
            | ast.BinOp(op=ast.Mult(), left=count, right=(ast.List() | ast.Tuple()) as items)
        ):
            if len(items.elts) != 1:
                raise NotPossible
            inside = f"{text} for {_variable('_', made)} in range({program.source(count)})"
            return f"[{inside}]" if isinstance(items, ast.List) else f"tuple({inside})"
        case ast.Call(
            func=ast.Attribute(value=ast.Name("dict"), attr="fromkeys"), args=[keys, value]
        ) if value is made:
            key = _variable("key", made)
            return f"{{{key}: {text} for {key} in {program.source(keys)}}}"
    raise NotPossible


def _variable(base: str, value: ast.expr) -> str:
    """A name for the variable that `value` does not use."""
    used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    while base in used:
        base += "_"
    return base


REMEDIES = {"ref-aliased": (make_each,), "aliased-vjp-primals": (make_each,)}
