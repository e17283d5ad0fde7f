"""A VJP applied with nowhere to put the gradient of a ref: bind a ref, skip it, or keep it out."""

from __future__ import annotations

import ast

from jaxref.facts import PrimalLeaf, RefsBound, VjpApplied, VjpInfo
from jaxref.fixes.application import (
    Application,
    application_of,
    check_bindable,
    gradients_use,
    needs_none,
    put_in,
    rewrite_result,
    same_everywhere,
)
from jaxref.fixes.binding import Gradient, entries_for, skipping
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.model import Applicability, Fix
from jaxref.fixes.primals import Primal, can_skip, is_path, one_by_one, primals_of
from jaxref.fixes.program import Program
from jaxref.fixes.remedies.kept_out import keep_out
from jaxref.fixes.remedies.value import by_value
from jaxref.fixes.results import Discarded, Unpacked, use_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def bind(program: Program, finding: Finding) -> Fix:
    """Bind a fresh gradient ref for each Ref-typed primal."""
    fact = finding.fact
    assert isinstance(fact, (VjpApplied, RefsBound))
    info = fact.vjp
    _check_bindable(program, info)
    if any(trace.kind == "vmap" for trace in fact.site.traces):
        # A ref made under vmap is not mapped over, and what is added to it is.
        raise NotPossible
    if not same_everywhere(program, fact.site.node, info):
        raise NotPossible
    many = sum(leaf.is_ref for leaf in info.leaves) > 1
    title = "Bind gradient refs" if many else "Bind a gradient ref"
    for write in (_bind_before, _bind_one_by_one, _bind_in_place, _bind_at_vjp, _bind_hoisted):
        try:
            patch = Patch(program)
            write(patch, fact)
            if write is not _bind_at_vjp and _is_given(program, fact):
                # A function that is given a VJP may be given others, with other primals.
                return patch.fix(f"{title} (for this VJP only)", "unsafe")
            return patch.fix(title, "safe", preferred=True)
        except NotPossible:
            continue
    raise NotPossible


def _is_given(program: Program, fact: VjpApplied | RefsBound) -> bool:
    """True when the function that applies the VJP got it as an argument."""
    node = fact.site.node
    if not isinstance(node, ast.Call):
        return False
    callee = (
        node.func.value
        if isinstance(fact, RefsBound) and isinstance(node.func, ast.Attribute)
        else node.func
    )
    if not isinstance(callee, ast.Name):
        return False
    binder = program.scope(callee).binder(callee.id)
    if binder is None or not any(isinstance(store, ast.arg) for store in binder.bound[callee.id]):
        return False
    call = fact.vjp.call
    return call is None or binder.node not in program.ancestors(call)


def _check_bindable(program: Program, info: VjpInfo) -> None:
    check_bindable(program, info)
    for leaf in info.leaves:
        if leaf.is_ref and leaf.written and _is_whole(leaf):
            raise NotPossible


def _is_whole(leaf: PrimalLeaf) -> bool:
    return any((ref.dtype or "").startswith(("int", "uint", "bool")) for ref, _ in leaf.refs)


def _bind_before(patch: Patch, fact: VjpApplied | RefsBound) -> None:
    """The refs are made in lines before the statement of the application."""
    program = patch.program
    application = application_of(program, fact)
    host = can_precede(program, application.node)
    entries = entries_for(patch, primals_of(program, fact.vjp), host)
    rewrite_result(patch, application, entries, host)


def _bind_one_by_one(patch: Patch, fact: VjpApplied | RefsBound) -> None:
    """The items of a starred argument get an entry each."""
    program = patch.program
    application = application_of(program, fact)
    host = can_precede(program, application.node)
    primals = one_by_one(primals_of(program, fact.vjp), fact.vjp.parameters)
    rewrite_result(patch, application, entries_for(patch, primals, host), host)


def _bind_hoisted(patch: Patch, fact: VjpApplied | RefsBound) -> None:
    """Arguments of `jax.vjp` that are calls get a name first."""
    program = patch.program
    application = application_of(program, fact)
    host = can_precede(program, application.node)
    primals = one_by_one(primals_of(program, fact.vjp), fact.vjp.parameters)
    made = program.statement(fact.vjp.call) if fact.vjp.call is not None else None
    if made is None or program.function_scope(made) is not program.function_scope(host):
        raise NotPossible
    loops = (ast.For, ast.AsyncFor, ast.While)
    around = [
        [one for one in program.ancestors(each) if isinstance(one, loops)] for each in (made, host)
    ]
    if around[0] != around[1] or program.span(made).start > program.span(host).start:
        raise NotPossible
    block = program.parents[made]
    if block not in program.ancestors(host):
        raise NotPossible
    entries = entries_for(patch, primals, host, hoist=made)
    rewrite_result(patch, application, entries, host)


def _bind_in_place(patch: Patch, fact: VjpApplied | RefsBound) -> None:
    """The refs are made among the entries; for where no statement can stand, and nobody reads them."""
    program = patch.program
    application = application_of(program, fact)
    entries = entries_for(patch, primals_of(program, fact.vjp), application.node)
    if entries.inline is None or not needs_none(
        program, gradients_use(program, application), entries.gradients
    ):
        raise NotPossible
    put_in(patch, application, entries.inline)


def _bind_at_vjp(patch: Patch, fact: VjpApplied | RefsBound) -> None:
    """The VJP is bound where it is made; for where it is applied by somebody else, once."""
    program = patch.program
    info = fact.vjp
    primals = primals_of(program, info)
    call = info.call
    assert call is not None
    if isinstance(fact, RefsBound):
        raise NotPossible
    use = use_of(program, call)
    if not isinstance(use, Unpacked) or len(use.targets) < 2 or not is_path(use.targets[1]):
        raise NotPossible
    after = program.span(use.statement).end
    entries = entries_for(patch, primals, use.statement, offset=after)
    staged = sum(trace.staged for trace in info.site.traces)
    for other in program.facts:
        if isinstance(other, RefsBound) and other.vjp.call is call:
            raise NotPossible
        if not isinstance(other, VjpApplied) or other.vjp.call is not call:
            continue
        if other.applied or sum(trace.staged for trace in other.site.traces) != staged:
            raise NotPossible
        if any(trace.kind == "vmap" for trace in other.site.traces):
            raise NotPossible
        application = application_of(program, other)
        if not needs_none(program, gradients_use(program, application), entries.gradients):
            raise NotPossible
    target = program.source(use.targets[1])
    for line in (*entries.statements, f"{target} = {target}.with_refs({', '.join(entries.texts)})"):
        patch.after(use.statement, line)


def bind_sum(program: Program, finding: Finding) -> Fix:
    """In a loop: gradient refs made before it, for the sum of all rounds."""
    fact = finding.fact
    if not isinstance(fact, VjpApplied):
        raise NotPossible
    info = fact.vjp
    _check_bindable(program, info)
    if any(trace.kind == "vmap" for trace in fact.site.traces):
        raise NotPossible
    if not same_everywhere(program, fact.site.node, info):
        raise NotPossible
    application = application_of(program, fact)
    host = can_precede(program, application.node)
    loop = next(
        (
            outer
            for outer in program.ancestors(host)
            if isinstance(
                outer, (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)
            )
        ),
        None,
    )
    if not isinstance(loop, (ast.For, ast.AsyncFor, ast.While)):
        raise NotPossible
    primals = primals_of(program, info)
    for primal in primals:
        if primal.has_refs and not _outlives(program, primal.node, loop):
            raise NotPossible
        if any(leaf.written for leaf in primal.leaves if leaf.is_ref):
            # What is in the gradient ref of a written ref counts as its cotangent: it must be fresh.
            raise NotPossible
    patch = Patch(program)
    entries = entries_for(patch, primals, loop, offset=program.span(application.node).start)
    use = gradients_use(program, application)
    if not needs_none(program, use, entries.gradients):
        raise NotPossible
    put_in(patch, application, entries.texts)
    for line in entries.statements:
        patch.before(loop, line)
    many = len(entries.statements) > 1
    what = "gradient refs" if many else "a gradient ref"
    return patch.fix(f"Bind {what} made before the loop, for the sum of its gradients", "unsafe")


def _outlives(program: Program, node: ast.expr, loop: ast.stmt) -> bool:
    """True when the path is the same object before the loop and in all its rounds."""
    if not is_path(node):
        return False
    start = program.span(loop).start
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            binder = program.scope(part).binder(part.id)
            if binder is None:
                return False
            for store in binder.bound[part.id]:
                if loop in program.ancestors(store):
                    return False
                if binder is program.function_scope(loop) and not isinstance(store, ast.arg):
                    if program.span(store).start > start:
                        return False
    return isinstance(node, ast.Name) or not any(
        isinstance(other, (ast.Attribute, ast.Subscript))
        and isinstance(other.ctx, ast.Store)
        and program.source(other) == program.source(node)
        for other in ast.walk(loop)
    )


def skip(program: Program, finding: Finding) -> Fix:
    """Say that the gradients of refs are not wanted."""
    fact = finding.fact
    assert isinstance(fact, (VjpApplied, RefsBound))
    info = fact.vjp
    if program.before(0, 11) or info.checkpointed:
        raise NotPossible
    refs = [leaf for leaf in info.leaves if leaf.is_ref]
    if not all(can_skip(leaf) for leaf in refs):
        raise NotPossible
    if not any(not leaf.is_ref for leaf in info.leaves) or not same_everywhere(
        program, fact.site.node, info
    ):
        raise NotPossible
    patch = Patch(program)
    application = application_of(program, fact)
    primals = primals_of(program, info)
    bound = entries_for(Patch(program), primals, application.node, plan=skipping)
    use = gradients_use(program, application)
    if not _unread(program, application, primals):
        raise NotPossible
    put_in(patch, application, bound.texts)
    names = _listed(refs)
    # Where nothing is done with the result, accumulating was perhaps what was meant.
    sure: Applicability = "unsafe" if use is None or isinstance(use, Discarded) else "safe"
    return patch.fix(f"Skip the gradient of {names}", sure)


def _unread(program: Program, application: Application, primals: tuple[Primal, ...]) -> bool:
    """True when nobody reads the gradient of a primal with refs in it."""
    gradients = [
        Gradient(primal.first, primal.count, "" if primal.has_refs else None, primal.starred)
        for primal in primals
    ]
    use = gradients_use(program, application)
    return use is None or needs_none(program, use, gradients)


def _listed(leaves: list[PrimalLeaf]) -> str:
    names = [f"`{leaf.text}`" if leaf.text else leaf.path for leaf in leaves]
    if len(names) > 2:
        return f"{len(names)} refs"
    return " and ".join(names)


REMEDIES = {"unbound-ref-gradient": (bind, bind_sum, by_value, skip, keep_out)}
