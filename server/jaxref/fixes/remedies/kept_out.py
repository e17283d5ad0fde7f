"""A ref among the arguments that are differentiated: let the function close over it instead."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxref.domain.values import Array, Const, Sentinel, Transformed, Vjp
from jaxref.facts import RefAccessed, RefsBound, VjpApplied, VjpInfo
from jaxref.fixes.application import application_of
from jaxref.fixes.edits import NotPossible, Patch, call_opening, has_comment, outer_span
from jaxref.fixes.given import Given, given_entries
from jaxref.fixes.model import Fix
from jaxref.fixes.names import last_part
from jaxref.fixes.primals import Primal, can_skip, primals_of
from jaxref.fixes.program import Program
from jaxref.fixes.results import (
    Discarded,
    Indexed,
    Named,
    Unpacked,
    constant_index,
    is_read,
    reads_of,
    use_of,
)
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def keep_out(program: Program, finding: Finding) -> Fix:
    """`jax.vjp(lambda x: loss(x, state_ref), x)` for `jax.vjp(loss, x, state_ref)`."""
    fact = finding.fact
    assert isinstance(fact, (VjpApplied, RefsBound))
    info = fact.vjp
    primals = primals_of(program, info)
    out = [primal for primal in primals if primal.has_refs]
    left = [primal for primal in primals if not primal.has_refs]
    if not any(primal.leaves for primal in left) or not all(primal.only_refs for primal in out):
        raise NotPossible
    if any(not leaf.certain for primal in out for leaf in primal.leaves):
        raise NotPossible
    patch = Patch(program)
    _change_call(patch, info, primals, out)
    sure = _adapt_results(patch, info, primals)
    return _fix(patch, out, sure)


def keep_bound_out(program: Program, finding: Finding) -> Fix:
    """The same where entries are bound: those of the refs that are kept out go, too."""
    fact = finding.fact
    if not isinstance(fact, VjpApplied) or fact.binding is None or fact.binding.starred:
        raise NotPossible
    info = fact.vjp
    site = fact.binding.site
    primals = primals_of(program, info)
    bound = RefsBound(site, info, fact.binding, None)
    given = given_entries(program, bound)
    call = site.node
    if len(given) != len(info.arg_texts) or not isinstance(call, ast.Call) or not program.has(call):
        raise NotPossible
    if any(primal.starred for primal in primals) or any(one.node is None for one in given):
        raise NotPossible
    out = [
        primal
        for primal, one in zip(primals, given, strict=True)
        if primal.has_refs and (info.checkpointed or _cannot_be_bound(primal, one))
    ]
    left = [primal for primal in primals if primal not in out]
    if not out or not any(primal.leaves for primal in left):
        raise NotPossible
    if not all(primal.only_refs and all(leaf.certain for leaf in primal.leaves) for primal in out):
        raise NotPossible
    for other in program.facts:
        if isinstance(other, (RefsBound, VjpApplied)) and other.vjp.call is info.call:
            binding = other.binding
            if binding is None or binding.site.node is not call:
                raise NotPossible
        elif isinstance(other, (RefsBound, VjpApplied)) and other.site.node in (
            call,
            fact.site.node,
        ):
            raise NotPossible
    result = application_of(program, bound).result
    if result is None:
        raise NotPossible
    patch = Patch(program)
    _change_call(patch, info, primals, out)
    gone = {primal.first for primal in out}
    texts = [
        program.source(one.node)
        for i, one in enumerate(given)
        if i not in gone and one.node is not None
    ]
    inside = Span(call_opening(program, call) + 1, program.span(call).end - 1)
    if has_comment(program, inside):
        raise NotPossible
    patch.replace_span(inside, ", ".join(texts))
    kept = [i for i in range(len(given)) if i not in gone]
    sure = _adapt_use(patch, result, kept, len(given))
    return _fix(patch, out, sure)


def _cannot_be_bound(primal: Primal, given: Given) -> bool:
    for leaf, entry in zip(primal.leaves, given.entries, strict=False):
        skipped = isinstance(entry.value, Sentinel) and entry.value.kind == "DontWant"
        whole = any((ref.dtype or "").startswith(("int", "uint", "bool")) for ref, _ in leaf.refs)
        if (skipped and not can_skip(leaf)) or (leaf.written and whole):
            return True
    return False


def _change_call(
    patch: Patch, info: VjpInfo, primals: Sequence[Primal], out: Sequence[Primal]
) -> None:
    _check_writes(patch.program, info, out)
    if any(isinstance(part, ast.Call) for primal in out for part in ast.walk(primal.node)):
        # Inside of the lambda the call would be made while JAX differentiates.
        raise NotPossible
    call = info.call
    assert call is not None
    if any(keyword.arg == "saveable_args" for keyword in call.keywords):
        raise NotPossible
    close_over(patch, call, primals, info.parameters, frozenset(primal.first for primal in out))


def _fix(patch: Patch, out: Sequence[Primal], sure: bool) -> Fix:
    program = patch.program
    names = " and ".join(f"`{program.words(primal.node)}`" for primal in out)
    if len(names) > 60 or "\n" in names:
        names = "the ref" if len(out) == 1 else f"the {len(out)} refs"
    if sure:
        return patch.fix(f"Keep {names} out of the differentiated arguments", "safe")
    return patch.fix(
        f"Keep {names} out of the differentiated arguments (the result then has no item for it)",
        "unsafe",
    )


def _check_writes(program: Program, info: VjpInfo, out: Sequence[Primal]) -> None:
    """A ref that is closed over may only get values that do not depend on what is differentiated."""
    written = {
        ref.id for primal in out for leaf in primal.leaves if leaf.written for ref, _ in leaf.refs
    }
    if not written:
        return
    for fact in program.facts:
        if not isinstance(fact, RefAccessed) or fact.ref.id not in written:
            continue
        if fact.action not in ("write", "swap", "addupdate"):
            continue
        inside = {trace.id for trace in fact.site.traces if trace.kind == "grad"}
        if fact.action == "addupdate" and inside:
            # JAX adds nothing to a ref that is not differentiated there, not even a constant.
            raise NotPossible
        if (fact.ref.dtype or "").startswith(
            ("int", "uint", "bool")
        ) or fact.object.kind == "no_grad_no_remat":
            continue
        if isinstance(fact.value, Array) and not fact.value.taint & inside:
            continue
        if isinstance(fact.value, Const):
            continue
        if inside:
            raise NotPossible


# -- the call of jax.vjp -----------------------------------------------------------------------------


def close_over(
    patch: Patch,
    call: ast.Call,
    primals: Sequence[Primal],
    parameters: Sequence[str],
    out: frozenset[int],
) -> None:
    """Make the function a lambda of the other primals, and take those at `out` out of the call."""
    program = patch.program
    function = call.args[0]
    if isinstance(program.function_scope(call).node, ast.ClassDef):
        raise NotPossible
    if isinstance(function, ast.Lambda):
        _drop_parameters(patch, function, primals, out)
    else:
        _wrap(patch, function, primals, parameters, out)
    _drop_arguments(patch, call, primals, out)


def _wrap(
    patch: Patch,
    function: ast.expr,
    primals: Sequence[Primal],
    parameters: Sequence[str],
    out: frozenset[int],
) -> None:
    program = patch.program
    free = _names(function)
    for primal in primals:
        if primal.first in out:
            free |= _names(primal.node)
    heads: list[str] = []
    arguments: list[str] = []
    used: set[str] = set()
    for primal in primals:
        star = "*" if primal.starred else ""
        if primal.first in out:
            text = program.source(primal.node)
            arguments.append(f"{star}{text}")
            continue
        wanted = [primal.node.id] if isinstance(primal.node, ast.Name) else []
        if primal.first < len(parameters) and not primal.starred:
            wanted.append(parameters[primal.first])
        wanted += [f"x{primal.first}", f"x_{primal.first}", f"arg{primal.first}"]
        name = next((name for name in wanted if name not in free | used), None)
        if name is None:
            raise NotPossible
        used.add(name)
        heads.append(star + name)
        arguments.append(star + name)
    callee = program.source(function)
    if not isinstance(function, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        callee = f"({callee})"
    # A line break inside of a call's brackets needs no more brackets.
    patch.replace(function, f"lambda {', '.join(heads)}: {callee}({', '.join(arguments)})")


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _drop_parameters(
    patch: Patch, function: ast.Lambda, primals: Sequence[Primal], out: frozenset[int]
) -> None:
    """Take the parameters for refs out of a lambda; its body names the refs themselves."""
    program = patch.program
    spec = function.args
    if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.defaults or spec.posonlyargs:
        raise NotPossible
    if any(primal.starred for primal in primals) or len(spec.args) != len(primals):
        raise NotPossible
    scope = program.scopes.of(function)
    assert scope is not None
    kept = [
        parameter
        for parameter, primal in zip(spec.args, primals, strict=True)
        if primal.first not in out
    ]
    kept_names = {parameter.arg for parameter in kept}
    for parameter, primal in zip(spec.args, primals, strict=True):
        if primal.first not in out:
            continue
        text = program.source(primal.node)
        names = _names(primal.node)
        if names & kept_names:
            raise NotPossible
        reads = scope.read.get(parameter.arg, [])
        if len(reads) > 1 and any(isinstance(part, ast.Call) for part in ast.walk(primal.node)):
            raise NotPossible
        for read in reads:
            between = program.scope(read)
            while between is not scope:
                if names & set(between.bound) or between.parent is None:
                    raise NotPossible
                between = between.parent
            if text != read.id:
                atom = isinstance(primal.node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
                patch.replace(read, text if atom else f"({text})")
    start, end = program.span(spec.args[0]).start, program.span(spec.args[-1]).end
    span = type(program.span(function))(start, end)
    patch.replace_span(span, ", ".join(parameter.arg for parameter in kept))


def _drop_arguments(
    patch: Patch, call: ast.Call, primals: Sequence[Primal], out: frozenset[int]
) -> None:
    program = patch.program
    arguments = call.args[1:]
    previous = outer_span(program, call.args[0])
    span_type = type(previous)
    for argument, primal in zip(arguments, primals, strict=True):
        whole = outer_span(program, argument)
        if primal.first in out:
            gone = span_type(previous.end, whole.end)
            if "#" in program.text.slice(gone).replace(program.source(argument), ""):
                raise NotPossible
            patch.replace_span(gone, "")
        previous = whole


# -- what becomes of the result ------------------------------------------------------------------------


def _adapt_results(patch: Patch, info: VjpInfo, primals: Sequence[Primal]) -> bool:
    """Adapt all places that take the result apart; False when one of them cannot be followed."""
    program = patch.program
    kept: list[int] = []
    for primal in primals:
        if not primal.has_refs:
            kept += range(primal.first, primal.first + primal.count)
    total = sum(primal.count for primal in primals)
    sure = True
    nodes: list[ast.AST] = []
    for fact in program.facts:
        if not isinstance(fact, (VjpApplied, RefsBound)) or fact.vjp.call is not info.call:
            if isinstance(fact, VjpApplied) and fact.site.node in nodes:
                # Other VJPs are applied in the same place.
                raise NotPossible
            continue
        if isinstance(fact, RefsBound):
            if not fact.binding.empty:
                raise NotPossible
            if fact.site.node not in nodes:
                nodes.append(fact.site.node)
                result = application_of(program, fact).result
                if result is None:
                    raise NotPossible
                sure &= _adapt_use(patch, result, kept, total)
            continue
        if fact.vjp.treedef != info.treedef or (
            fact.binding is not None and not fact.binding.empty
        ):
            raise NotPossible
        if fact.site.node in nodes:
            continue
        nodes.append(fact.site.node)
        sure &= _adapt(patch, fact, kept, total)
    for fact in program.facts:
        if (
            isinstance(fact, VjpApplied)
            and fact.site.node in nodes
            and fact.vjp.call is not info.call
        ):
            raise NotPossible
    return sure


def _adapt(patch: Patch, fact: VjpApplied, kept: list[int], total: int) -> bool:
    program = patch.program
    node = fact.site.node
    if not isinstance(node, ast.Call) or not program.has(node):
        return False
    values = program.value(node.func)
    plain = values and all(
        isinstance(value, Vjp) or (isinstance(value, Transformed) and value.kind in ("jit", "vmap"))
        for value in values
    )
    if not plain or (isinstance(node.func, ast.Attribute) and node.func.attr == "with_logs"):
        # The value need not be the tuple of gradients: it must not be taken apart.
        use = use_of(program, node)
        if not isinstance(use, Discarded) and not _only_handed_on(program, node):
            raise NotPossible
        return False
    parent = program.parents.get(node)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target = parent.targets[0]
        if isinstance(target, (ast.Tuple, ast.List)) and any(
            isinstance(item, ast.Starred) for item in target.elts
        ):
            return _adapt_starred(patch, target, kept, total)
    return _adapt_use(patch, node, kept, total)


def _only_handed_on(program: Program, node: ast.expr) -> bool:
    """True when a value is printed, or returned to callers that do not take it apart as far as is seen."""
    parent = program.parents.get(node)
    inner: ast.AST = node
    while isinstance(parent, (ast.Tuple, ast.List, ast.Dict, ast.keyword)):
        inner, parent = parent, program.parents.get(parent)
    match parent:
        case ast.Call(func=ast.Name(id="print")) if inner is not parent.func:
            return True
        case ast.Expr():
            return True
        case ast.Assign(targets=[ast.Name() as target]):
            return all(_only_handed_on(program, read) for read in reads_of(program, target))
        case ast.Return() | ast.Yield():
            function = program.function_scope(node).node
            name = getattr(function, "name", "")
            calls = [
                other
                for other in program.parents
                if isinstance(other, ast.Call) and last_part(other.func) == name
            ]
            return all(_only_handed_on(program, call) for call in calls)
    return False


def _adapt_starred(
    patch: Patch, display: ast.Tuple | ast.List, kept: list[int], total: int
) -> bool:
    """`dx, *rest = f_vjp(ct)`: targets of their own for what is gone must go, too, and be unread."""
    program = patch.program
    star = next(i for i, item in enumerate(display.elts) if isinstance(item, ast.Starred))
    behind = len(display.elts) - star - 1
    texts: list[str] = []
    sure = True
    for index, item in enumerate(display.elts):
        if isinstance(item, ast.Starred):
            covered = range(star, total - behind)
            sure = all(i in kept for i in covered)
            if not sure and is_read(program, item.value):
                raise NotPossible
            texts.append(program.source(item))
            continue
        position = index if index < star else total - len(display.elts) + index
        if position in kept:
            texts.append(program.source(item))
        elif is_read(program, item):
            raise NotPossible
    if len(texts) < len(display.elts):
        patch.replace(display, f"{texts[0]}," if len(texts) == 1 else ", ".join(texts))
    return sure


def _adapt_use(patch: Patch, node: ast.expr, kept: list[int], total: int) -> bool:
    program = patch.program
    match use_of(program, node):
        case Discarded():
            return False
        case Unpacked(_, targets, display):
            if len(targets) != total:
                raise NotPossible
            if any(is_read(program, target) for i, target in enumerate(targets) if i not in kept):
                raise NotPossible
            texts = [program.source(targets[i]) for i in kept]
            patch.replace(display, f"({texts[0]},)" if len(texts) == 1 else ", ".join(texts))
            return True
        case Indexed(subscript, index):
            _renumber(patch, subscript, index, kept, total)
            return True
        case Named(_, ast.Name() as target):
            found: list[tuple[ast.Subscript, int]] = []
            for read in reads_of(program, target):
                parent = program.parents.get(read)
                if not isinstance(parent, ast.Subscript) or parent.value is not read:
                    if all(_only_handed_on(program, one) for one in reads_of(program, target)):
                        return False
                    raise NotPossible
                place = constant_index(parent)
                if place is None:
                    raise NotPossible
                found.append((parent, place))
            binder = program.scope(target).binder(target.id)
            if binder is None or (found and len(binder.bound[target.id]) > 1):
                raise NotPossible
            for parent, index in found:
                _renumber(patch, parent, index, kept, total)
            return bool(found)
    if not _only_handed_on(program, node):
        raise NotPossible
    return False


def _renumber(
    patch: Patch, subscript: ast.Subscript, index: int, kept: list[int], total: int
) -> None:
    if not -total <= index < total or index % total not in kept:
        raise NotPossible
    new = kept.index(index % total)
    if index < 0:
        new -= len(kept)
    if new != index:
        patch.replace(subscript.slice, str(new))


REMEDIES = {
    "int-ref-written": (keep_bound_out,),
    "dont-want-written-ref": (keep_bound_out,),
    "dont-want-ref-in-scan": (keep_bound_out,),
    "dont-want-indexed-ref": (keep_bound_out,),
    "checkpoint-of-ref-primal": (keep_bound_out,),
}
