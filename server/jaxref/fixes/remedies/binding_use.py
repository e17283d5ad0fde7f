"""A bound VJP that is not applied, applied twice or bound twice, and placeholders used as gradients."""

from __future__ import annotations

import ast

from jaxref.domain.values import Array, Const, Sentinel
from jaxref.facts import (
    Binding,
    BindingUnused,
    Entry,
    PlaceholderUsed,
    RefAccessed,
    RefsBound,
    VjpApplied,
    VjpInfo,
)
from jaxref.fixes.application import (
    application_of,
    check_bindable,
    put_in,
    rewrite_result,
)
from jaxref.fixes.binding import Entries, Gradient
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.given import Given, given_entries
from jaxref.fixes.model import Applicability, Fix
from jaxref.fixes.names import fresh
from jaxref.fixes.primals import Primal, is_path, means_the_same, one_by_one, primals_of
from jaxref.fixes.program import Program
from jaxref.fixes.results import Unpacked, reads_of, use_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


# -- bound and never applied ---------------------------------------------------------------------------


def apply_it(program: Program, finding: Finding) -> Fix:
    """Apply the bound VJP to a cotangent of ones."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, BindingUnused) or not isinstance(node, ast.Call):
        raise NotPossible
    check_bindable(program, fact.vjp)
    if any(
        isinstance(other, VjpApplied) and other.vjp.call is fact.vjp.call for other in program.facts
    ):
        raise NotPossible
    patch = Patch(program)
    cotangent, sure = _ones(patch, fact.vjp, node)
    statement = program.parents.get(node)
    if not isinstance(statement, ast.stmt):
        raise NotPossible
    _reset_stale(patch, fact.vjp, fact.binding, node, statement)
    if isinstance(statement, ast.Expr):
        patch.insert(program.span(node).end, f"({cotangent})")
    elif (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
    ):
        patch.after(statement, f"{statement.targets[0].id}({cotangent})")
    else:
        raise NotPossible
    return patch.fix(f"Apply it: `({cotangent})`", sure, preferred=sure == "safe")


def _reset_stale(
    patch: Patch, info: VjpInfo, binding: Binding, node: ast.AST, statement: ast.stmt
) -> None:
    """Set refs from outside of a loop to zero first, when the loop updates what is differentiated.

    Else the gradients of earlier rounds, at other parameters, would be in the sum.
    """
    program = patch.program
    loop = next(
        (
            one
            for one in program.ancestors(node)
            if isinstance(one, (ast.For, ast.AsyncFor, ast.While))
        ),
        None,
    )
    if loop is None:
        return
    span = program.span(loop)
    stored = {
        part.id
        for outer in ast.walk(loop)
        if isinstance(outer, (ast.Assign, ast.AugAssign, ast.AnnAssign))
        for target in (outer.targets if isinstance(outer, ast.Assign) else [outer.target])
        for part in ast.walk(target)
        if isinstance(part, ast.Name)
    }
    primals = {ref.id for leaf in info.leaves for ref, _ in leaf.refs}
    roots = {text.partition(".")[0].partition("[")[0] for text in info.arg_texts}
    updated = bool(stored & roots) or any(
        isinstance(other, RefAccessed)
        and other.action in ("write", "swap", "addupdate")
        and other.ref.id in primals
        and program.has(other.site.node)
        and span.start <= program.span(other.site.node).start < span.end
        for other in program.facts
    )
    if not updated:
        return
    for entry in binding.entries:
        for _, found in entry.refs:
            if found.span is not None and found.path == program.path:
                if span.start <= found.span[0] < span.end:
                    continue
            root = entry.text.partition(".")[0].partition("[")[0]
            if found.many or root in stored:
                continue
            binder = program.scope(node).binder(root)
            if binder is not None and any(
                loop in program.ancestors(one) for one in binder.bound[root]
            ):
                # The loop goes through several refs.
                continue
            if entry.path.count("]") > 1 or "." in entry.path or not entry.text.isidentifier():
                raise NotPossible
            zeros = patch.jax("jax.numpy.zeros_like", statement)
            patch.before(statement, f"{entry.text}[...] = {zeros}({entry.text})")


def _ones(patch: Patch, info: VjpInfo, at: ast.Call) -> tuple[str, Applicability]:
    """A cotangent of ones; safe where the output is a scalar, for which nothing else is usual."""
    program = patch.program
    out = info.out
    if out is None or not out.treedef.known():
        raise NotPossible
    scalar = (
        out.treedef.kind == "leaf"
        and isinstance(out.leaves[0].value, (Array, Const))
        and getattr(out.leaves[0].value, "shape", ()) == ()
    )
    sure: Applicability = "safe" if scalar else "unsafe"
    if info.call is None or not program.has(info.call):
        raise NotPossible
    use = use_of(program, info.call)
    start = program.span(at).start
    if isinstance(use, Unpacked) and isinstance(use.targets[0], ast.Name):
        target = use.targets[0]
        binder = program.scope(target).binder(target.id)
        same = program.scope(at).binder(target.id) is binder
        if same and binder is not None and target.id != "_":
            between = [
                one
                for one in binder.bound[target.id]
                if program.span(target).end < program.span(one).start < start
            ]
            if not between and program.span(target).start < start:
                ones_like = patch.jax("jax.numpy.ones_like", at)
                if out.treedef.kind == "leaf":
                    return f"{ones_like}({target.id})", sure
                return f"{patch.jax('jax.tree.map', at)}({ones_like}, {target.id})", sure
    value = out.leaves[0].value if out.leaves else None
    if scalar and isinstance(value, Array) and value.dtype == "float32":
        return "1.0", sure
    raise NotPossible


def apply_this_one(program: Program, finding: Finding) -> Fix:
    """Bind at the application, where the unbound VJP is applied after the binding was thrown away."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, BindingUnused) or not isinstance(node, ast.Call):
        raise NotPossible
    check_bindable(program, fact.vjp)
    statement = program.parents.get(node)
    if not isinstance(statement, ast.Expr) or not isinstance(node.func, ast.Attribute):
        raise NotPossible
    found = {
        other.site.node
        for other in program.facts
        if isinstance(other, VjpApplied)
        and other.vjp.call is fact.vjp.call
        and other.binding is None
    }
    if len(found) != 1:
        raise NotPossible
    call = found.pop()
    if not isinstance(call, ast.Call) or not isinstance(program.parents.get(call), ast.Expr):
        raise NotPossible
    receiver = program.source(node.func.value)
    if program.source(call.func) != receiver or program.scope(call) is not program.scope(node):
        raise NotPossible
    patch = Patch(program)
    applied = program.parents.get(call)
    assert isinstance(applied, ast.Expr)
    if program.span(applied).start < program.span(statement).start:
        raise NotPossible
    if program.text.content[program.span(applied).end :].lstrip(" \t")[:1] != "#":
        # The later statement goes, and its arguments come here.
        arguments = program.text.content[program.span(call.func).end : program.span(call).end]
        patch.insert(program.span(node).end, arguments)
        patch.remove(applied)
        return patch.fix("Apply the bound VJP instead of the unbound one", "safe", preferred=True)
    patch.remove(statement)
    patch.insert(
        program.span(call.func).end,
        program.text.content[program.span(node.func.value).end : program.span(node).end],
    )
    return patch.fix("Apply the bound VJP instead of the unbound one", "safe", preferred=True)


# -- applied more than once ------------------------------------------------------------------------------


def unbind(program: Program, finding: Finding) -> Fix:
    """Drop a `with_refs` that binds nothing but values: without it every call starts anew."""
    fact, call, primals, given = _reused(program, finding)
    if any(primal.has_refs for primal in primals):
        raise NotPossible
    if any(
        not (isinstance(entry.value, Sentinel) and entry.value.kind == "GradValue")
        for one in given
        for entry in one.entries
    ):
        raise NotPossible
    assert isinstance(call.func, ast.Attribute)
    del fact
    patch = Patch(program)
    end = program.span(call.func.value).end
    patch.replace_span(type(program.span(call))(end, program.span(call).end), "")
    return patch.fix(
        "Do not bind it: an unbound VJP starts anew at each call", "safe", preferred=True
    )


def bind_each_time(program: Program, finding: Finding) -> Fix:
    """Bind anew for each application."""
    _fact, call, _, given = _reused(program, finding)
    if any(not _repeatable(program, one) for one in given):
        raise NotPossible
    assignment = program.parents.get(call)
    if not isinstance(assignment, ast.Assign) or len(assignment.targets) != 1:
        raise NotPossible
    target = assignment.targets[0]
    assert isinstance(call.func, ast.Attribute)
    receiver = call.func.value
    if not isinstance(receiver, ast.Name) or not is_path(target):
        raise NotPossible
    binder = program.scope(receiver).binder(receiver.id)
    if binder is None or len(binder.bound[receiver.id]) != 1:
        raise NotPossible
    patch = Patch(program)
    title = "Bind anew at each call"
    text = program.source(call)
    reads = reads_of(program, target) if isinstance(target, ast.Name) else []
    calls = [program.parents.get(read) for read in reads]
    inline = (
        isinstance(target, ast.Name)
        and reads
        and "\n" not in text
        and all(
            isinstance(one, ast.Call) and one.func is read
            for one, read in zip(calls, reads, strict=True)
        )
        and all(_visible(program, call, read) for read in reads)
    )
    if inline:
        for read in reads:
            patch.replace(read, text)
        patch.remove(assignment)
        return patch.fix(title, "safe", preferred=True)
    name = fresh("ct", program.function_scope(call))
    patch.replace(call, f"lambda {name}: {text}({name})")
    return patch.fix(title, "safe", preferred=True)


def _visible(program: Program, call: ast.Call, read: ast.expr) -> bool:
    """True when everything `call` names means the same at `read`."""
    offset = program.span(read).start
    return all(
        means_the_same(program, part, read, offset)
        for part in ast.walk(call)
        if isinstance(part, ast.Name) and program.scope(part).binder(part.id) is not None
    )


def _repeatable(program: Program, given: Given) -> bool:
    """True when an entry can be evaluated again: a path, or a sentinel."""
    if given.node is None:
        return given.text is not None
    if is_path(given.node):
        return True
    return (
        isinstance(given.node, ast.Call)
        and not given.node.args
        and all(isinstance(entry.value, Sentinel) for entry in given.entries)
    )


def _reused(
    program: Program, finding: Finding
) -> tuple[VjpApplied, ast.Call, tuple[Primal, ...], tuple[Given, ...]]:
    fact = finding.fact
    if not isinstance(fact, VjpApplied) or fact.binding is None:
        raise NotPossible
    check_bindable(program, fact.vjp)
    call = fact.binding.site.node
    if not isinstance(call, ast.Call) or not program.has(call):
        raise NotPossible
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "with_refs":
        raise NotPossible
    given = given_entries(program, RefsBound(fact.binding.site, fact.vjp, fact.binding, None))
    try:
        primals = one_by_one(primals_of(program, fact.vjp))
    except NotPossible:
        # `jax.vjp` may stand in a helper: what is known of its leaves is enough here.
        primals = (Primal(call, 0, 1, False, fact.vjp.leaves, (fact.vjp.treedef,)),)
    return fact, call, primals, given


# -- bound twice ---------------------------------------------------------------------------------------------


def rename_bound(program: Program, finding: Finding) -> Fix:
    """Give the bound VJP a name of its own, so that the next round of the loop binds the unbound one."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefsBound) or not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    if fact.earlier is None or fact.earlier.site.node is not node:
        raise NotPossible
    check_bindable(program, fact.vjp)
    assignment = program.parents.get(node)
    if not isinstance(assignment, ast.Assign) or len(assignment.targets) != 1:
        raise NotPossible
    target = assignment.targets[0]
    receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
    if (
        not isinstance(target, ast.Name)
        or not isinstance(receiver, ast.Name)
        or receiver.id != target.id
    ):
        raise NotPossible
    block = program.parents[assignment]
    after = program.span(assignment).end
    scope = program.function_scope(assignment)
    name = fresh("bound", scope)
    patch = Patch(program)
    patch.replace(target, name)
    vjp_call = fact.vjp.call
    for read in reads_of(program, target):
        if read is receiver:
            continue
        place = program.span(read).start
        if place > after and block in program.ancestors(read):
            patch.replace(read, name)
        elif vjp_call is None or place > after:
            raise NotPossible
    return patch.fix(f"Keep the bound VJP as `{name}`", "safe", preferred=True)


def drop_first_binding(program: Program, finding: Finding) -> Fix:
    """`f_vjp.with_refs(b)` for `f_vjp.with_refs(a).with_refs(b)`."""
    fact = finding.fact
    node = fact.site.node
    if isinstance(fact, RefsBound):
        check_bindable(program, fact.vjp)
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(func=ast.Attribute(value=receiver, attr="with_refs")) as first,
                attr="with_refs",
            )
        ):
            pass
        case _:
            raise NotPossible
    if not program.has(node):
        raise NotPossible
    patch = Patch(program)
    gone = type(program.span(first))(program.span(receiver).end, program.span(first).end)
    patch.replace_span(gone, "")
    return patch.fix("Bind only once, with the last entries", "unsafe")


def drop_earlier_binding(program: Program, finding: Finding) -> Fix:
    """Leave the VJP unbound where it was bound first, when it is never applied with these entries."""
    fact = finding.fact
    if not isinstance(fact, RefsBound) or fact.earlier is None:
        raise NotPossible
    check_bindable(program, fact.vjp)
    earlier = fact.earlier.site.node
    if not isinstance(earlier, ast.Call) or not program.has(earlier) or earlier is fact.site.node:
        raise NotPossible
    if not isinstance(earlier.func, ast.Attribute) or earlier.func.attr != "with_refs":
        raise NotPossible
    for other in program.facts:
        if isinstance(other, VjpApplied) and other.binding is not None:
            if other.binding.site.node is earlier:
                raise NotPossible
    if isinstance(fact.site.node, ast.Call) and earlier in ast.walk(fact.site.node):
        raise NotPossible
    patch = Patch(program)
    receiver = earlier.func.value
    assignment = program.parents.get(earlier)
    if isinstance(assignment, ast.Assign) and len(assignment.targets) == 1:
        if program.source(assignment.targets[0]) == program.source(receiver):
            patch.remove(assignment)
            return patch.fix("Do not bind the VJP before", "unsafe")
    gone = type(program.span(earlier))(program.span(receiver).end, program.span(earlier).end)
    patch.replace_span(gone, "")
    empty = fact.earlier.empty
    return patch.fix("Do not bind the VJP before", "safe" if empty else "unsafe", preferred=empty)


# -- placeholders ------------------------------------------------------------------------------------------------


def read_bound_refs(program: Program, finding: Finding) -> Fix:
    """Where the result is taken apart, read the gradient refs instead of their placeholders."""
    fact = finding.fact
    if not isinstance(fact, PlaceholderUsed) or not isinstance(fact.sentinel.origin, Entry):
        raise NotPossible
    entry = fact.sentinel.origin
    bound = next(
        (
            other
            for other in program.facts
            if isinstance(other, RefsBound)
            and other.earlier is None
            and any(one is entry for one in other.binding.entries)
        ),
        None,
    )
    if bound is None or not program.has(bound.site.node):
        raise NotPossible
    check_bindable(program, bound.vjp)
    given = given_entries(program, bound)
    patch = Patch(program)
    application = application_of(program, bound)
    if application.result is None:
        raise NotPossible
    binding_statement = program.statement(bound.site.node)
    assert binding_statement is not None
    _reset_stale(patch, bound.vjp, bound.binding, bound.site.node, binding_statement)
    frozen = "freeze" in fact.how
    host = can_precede(program, application.node)
    after = program.statement(application.result)
    assert after is not None
    gradients: list[Gradient] = []
    texts: list[str] = []
    want_value = fact.sentinel.kind == "DidntWant"
    mine = next(i for i, one in enumerate(given) if any(part is entry for part in one.entries))
    for index, one in enumerate(given):
        text = one.text
        if text is None:
            raise NotPossible
        accumulated = None
        if index == mine and want_value:
            if one.treedef.kind != "leaf" or bound.vjp.leaves[index].is_ref:
                raise NotPossible
            text = f"{patch.jax('jax.ad.GradValue', host)}()"
        elif all(part.refs for part in one.entries) and one.entries:
            node = one.node
            if node is not None and not is_path(node):
                raise NotPossible
            accumulated = (
                (text if frozen else f"{text}[...]")
                if one.treedef.kind == "leaf"
                else f"{patch.jax('jax.tree.map', host)}(lambda ref: ref[...], {text})"
            )
        elif any(part.refs for part in one.entries):
            raise NotPossible
        texts.append(text)
        gradients.append(Gradient(index, 1, accumulated, False))
    if want_value:
        put_in(patch, application, texts)
        return patch.fix("Ask for the gradient: `GradValue()`", "safe", preferred=True)
    rewrite_result(patch, application, Entries((), tuple(texts), tuple(gradients), None), host)
    words = given[mine].text or ""
    title = f"Read the gradient from `{words}`" if len(words) < 30 else "Read the gradient ref"
    return patch.fix(title, "safe", preferred=True)


REMEDIES = {
    "unapplied-with-refs": (apply_it, apply_this_one),
    "bound-vjp-reused": (unbind, bind_each_time),
    "rebind-bound-vjp": (rename_bound, drop_first_binding, drop_earlier_binding),
    "placeholder-as-gradient": (read_bound_refs,),
}
