"""A ref that a differentiated function writes by closing over it: an argument that is differentiated, too.

What is stored then may depend on what is differentiated. The gradient ref of a ref that is written must be
fresh for each application, so it is made there.
"""

from __future__ import annotations

import ast

from jaxref.domain.trees import LEAF
from jaxref.domain.values import RefValue
from jaxref.facts import DerivativeTaken, PrimalLeaf, RefAccessed, RefsBound, VjpApplied
from jaxref.fixes.application import application_of, gradients_use, put_in
from jaxref.fixes.binding import entries_for
from jaxref.fixes.callees import Node, callee, is_only_run_by
from jaxref.fixes.edits import NotPossible, Patch, can_precede, outer_span
from jaxref.fixes.given import given_entries
from jaxref.fixes.model import Fix
from jaxref.fixes.primals import Primal, primals_of
from jaxref.fixes.program import Program
from jaxref.fixes.remedies.gradient import Derivative, derivative_of, write_vjp
from jaxref.fixes.results import Discarded, Unpacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def make_argument(program: Program, finding: Finding) -> Fix:
    """`jax.vjp(f, x, state)` and an entry for `state`, where `f` closed over it."""
    fact = finding.fact
    if not isinstance(fact, RefAccessed) or len(fact.taint) != 1 or program.before(0, 11):
        raise NotPossible
    dtype = fact.ref.dtype or ""
    if not dtype.startswith(("float", "bfloat", "complex")):
        raise NotPossible("only refs of floating-point numbers have gradients")
    place = fact.taint[0].place
    if any(trace.kind == "checkpoint" for trace in fact.closed):
        raise NotPossible
    for other in program.facts:
        if isinstance(other, DerivativeTaken) and other.site.place == place:
            return _of_grad(program, fact, derivative_of(program, other))
        if isinstance(other, VjpApplied) and other.vjp.site.place == place:
            return _of_vjp(program, fact, other)
    raise NotPossible


def _of_grad(program: Program, fact: RefAccessed, found: Derivative) -> Fix:
    patch = Patch(program)
    passed = [one for one in found.application.args if _is_ref(program, one, fact.ref.id)]
    if passed:
        write_vjp(patch, found, passed[:1])
        return _fix(patch, passed[0])
    if passed or not found.only_use:
        raise NotPossible
    function = found.transform.args[0]
    name = _parameter(program, fact, function, found.application)
    _add_parameter(patch, function, len(found.application.args), name)
    write_vjp(patch, found, [name])
    return _fix(patch, name)


def _of_vjp(program: Program, fact: RefAccessed, applied: VjpApplied) -> Fix:
    call = applied.vjp.call
    bound = applied.binding
    places = {applied.site.node} if bound is None else {applied.site.node, bound.site.node}
    if call is None or any(
        isinstance(other, (VjpApplied, RefsBound))
        and other.vjp.call is call
        and other.site.node not in places
        for other in program.facts
    ):
        raise NotPossible("the VJP is applied in several places")
    primals = primals_of(program, applied.vjp)
    if any(primal.starred for primal in primals):
        raise NotPossible
    name = _parameter(program, fact, call.args[0], call)
    patch = Patch(program)
    _add_parameter(patch, call.args[0], len(primals), name)
    patch.insert(outer_span(program, call.args[-1]).end, f", {name.id}")
    position = len(primals)
    leaf = PrimalLeaf("", name.id, position, RefValue(0), ((fact.ref, fact.object),), written=True)
    added = Primal(name, position, 1, False, (leaf,), (LEAF,))
    if bound is None:
        application = application_of(program, applied)
        host = can_precede(program, application.node)
        entries = entries_for(patch, (*primals, added), host)
        put_in(patch, application, entries.texts)
    else:
        binding = RefsBound(bound.site, applied.vjp, bound, None)
        application = application_of(program, binding)
        host = can_precede(program, application.node)
        given = given_entries(program, binding)
        call = application.binding
        if call is None or not given or len(given) != len(call.args):
            raise NotPossible
        entries = entries_for(patch, (added,), host)
        patch.insert(outer_span(program, call.args[-1]).end, f", {entries.texts[0]}")
    for line in entries.statements:
        patch.before(host, line)
    if application.result is None:
        raise NotPossible
    use = gradients_use(program, application)
    match use:
        case Discarded():
            pass
        case Unpacked() if "_" not in program.function_scope(host).read:
            patch.insert(outer_span(program, use.targets[-1]).end, ", _")
        case _ if not application.logs:
            patch.insert(program.span(application.result).end, "[:-1]")
        case _:
            raise NotPossible
    return _fix(patch, name)


def _fix(patch: Patch, node: ast.expr) -> Fix:
    text = patch.program.words(node)
    return patch.fix(f"Make `{text}` a differentiated argument, with a gradient ref", "safe")


def _is_ref(program: Program, node: ast.expr, ref: int) -> bool:
    values = program.value(node)
    return len(values) == 1 and isinstance(values[0], RefValue) and values[0].id == ref


def _parameter(program: Program, fact: RefAccessed, function: ast.expr, at: ast.Call) -> ast.Name:
    """A read of the name by which the function closes over the ref, the only way that it gets to it."""
    node = _function(program, function)
    scope = program.scopes.of(node)
    assert scope is not None
    names = {
        read.id: read
        for reads in scope.read.values()
        for read in reads
        if _is_ref(program, read, fact.ref.id)
    }
    if len(names) != 1:
        raise NotPossible
    name = next(iter(names.values()))
    binder = scope.binder(name.id)
    if binder is None or binder is scope or program.scope(at).binder(name.id) is not binder:
        raise NotPossible
    # An inner function may be called from elsewhere, and a global be rebound: neither is seen here.
    if name.id in scope.declared or any(name.id in inner.bound for inner in scope.inner):
        raise NotPossible
    for other in program.facts:
        if isinstance(other, RefAccessed) and other.ref.id == fact.ref.id:
            inside = any(trace.place == fact.taint[0].place for trace in other.site.traces)
            if inside and not _comes_from(program, other.site.node, node):
                raise NotPossible
    return name


def _comes_from(program: Program, access: ast.AST, function: Node) -> bool:
    """True when an access is in `function`, or of what a helper was given as an argument."""
    if not program.has(access):
        return False
    if function in program.ancestors(access):
        return True
    match access:
        case ast.Subscript(value=ast.Name() as owner):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Name() as owner)) if len(access.args) < 3:
            pass
        case ast.Call(args=[ast.Name() as owner, *_]):
            pass
        case _:
            return False
    stores = program.scope(owner).bound.get(owner.id, ())
    return len(stores) == 1 and isinstance(stores[0], ast.arg)


def _function(program: Program, function: ast.expr) -> Node:
    if isinstance(function, ast.Lambda):
        return function
    found = callee(program, function)
    if found.receiver or not is_only_run_by(program, function, found.node):
        raise NotPossible("the function is used elsewhere, too")
    return found.node


def _add_parameter(patch: Patch, function: ast.expr, count: int, name: ast.Name) -> None:
    program = patch.program
    spec = _function(program, function).args
    if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.defaults or len(spec.args) != count:
        raise NotPossible
    patch.insert(program.span(spec.args[-1]).end, f", {name.id}")


REMEDIES = {"tainted-ref-write": (make_argument,)}
