"""A ref that is differentiated as two arguments: differentiate it as one."""

from __future__ import annotations

import ast

from jaxref.domain.values import RefValue, Sentinel
from jaxref.facts import FunctionTraced, RefsBound, VjpApplied, VjpInfo
from jaxref.fixes.application import application_of, gradients_use
from jaxref.fixes.edits import NotPossible, Patch, call_opening, outer_span
from jaxref.fixes.given import given_entries
from jaxref.fixes.layout import one_line
from jaxref.fixes.model import Fix
from jaxref.fixes.primals import is_path, primals_of
from jaxref.fixes.program import Program
from jaxref.fixes.results import Discarded
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def differentiate_once(program: Program, finding: Finding) -> Fix:
    """`jax.vjp(lambda a: f(a, a), r)` for `jax.vjp(f, r, r)`; the entry of the second goes, too."""
    fact = finding.fact
    call = fact.site.node
    if not isinstance(fact, FunctionTraced) or not isinstance(call, ast.Call):
        raise NotPossible
    uses = [
        other
        for other in program.facts
        if isinstance(other, (RefsBound, VjpApplied)) and other.vjp.call is call
    ]
    bound = [other for other in uses if isinstance(other, RefsBound)]
    if not bound or any(isinstance(o, VjpApplied) and o.binding is None for o in uses):
        raise NotPossible
    info = bound[0].vjp
    primals = primals_of(program, info)
    if call.keywords or any(primal.starred for primal in primals):
        raise NotPossible
    held = [[ref.id for leaf in primal.leaves for ref, _ in leaf.refs] for primal in primals]
    pairs = [
        (i, j)
        for j, second in enumerate(held)
        for i, first in enumerate(held[:j])
        if len(first) == len(second) == 1 and first == second
    ]
    if len(pairs) != 1 or any(len(ids) > 1 for ids in held):
        raise NotPossible
    kept, gone = pairs[0]
    patch = Patch(program)
    _change_call(patch, info, call, kept, gone)
    for other in {id(one.site.node): one for one in bound}.values():
        _drop_entry(patch, other, kept, gone)
    name = program.words(primals[kept].node)
    return patch.fix(
        f"Differentiate `{name}` as one argument (its gradient ref then gets the whole gradient)",
        "unsafe",
    )


def _change_call(patch: Patch, info: VjpInfo, call: ast.Call, kept: int, gone: int) -> None:
    program = patch.program
    function, *arguments = call.args
    if not is_path(function) or len(info.parameters) != len(arguments):
        raise NotPossible
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    names = list(info.parameters)
    if (
        used & set(names)
        or len(set(names)) != len(names)
        or not all(n.isidentifier() for n in names)
    ):
        raise NotPossible
    given = [names[kept] if i == gone else name for i, name in enumerate(names)]
    taken = [name for i, name in enumerate(names) if i != gone]
    text = f"lambda {', '.join(taken)}: {one_line(program, function)}({', '.join(given)})"
    patch.replace(function, text)
    _drop(patch, call, arguments, gone)


def _drop_entry(patch: Patch, bound: RefsBound, kept: int, gone: int) -> None:
    """Bind without the entry at `gone`."""
    program = patch.program
    call = bound.site.node
    given = given_entries(program, bound)
    if not isinstance(call, ast.Call) or not program.has(call) or len(given) <= gone:
        raise NotPossible
    if any(len(one.entries) != 1 for one in (given[kept], given[gone])):
        raise NotPossible
    if not isinstance(given[kept].entries[0].value, RefValue) or not isinstance(
        given[gone].entries[0].value, (RefValue, Sentinel)
    ):
        raise NotPossible
    if not isinstance(gradients_use(program, application_of(program, bound)), Discarded):
        raise NotPossible
    if len(call.args) == len(given):
        _drop(patch, call, call.args, gone)
        return
    inside = Span(call_opening(program, call) + 1, program.span(call).end - 1)
    texts = [one.text for i, one in enumerate(given) if i != gone]
    if None in texts:
        raise NotPossible
    patch.replace_span(inside, ", ".join(str(text) for text in texts))


def _drop(patch: Patch, call: ast.Call, arguments: list[ast.expr], index: int) -> None:
    """Take an argument away with the comma before it."""
    program = patch.program
    before = call.args[call.args.index(arguments[index]) - 1]
    span = Span(outer_span(program, before).end, outer_span(program, arguments[index]).end)
    patch.replace_span(span, "")
