"""Where a VJP is applied: how its entries get in, and what becomes of the gradients."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from jaxref.domain.heap import VjpObject
from jaxref.domain.values import Transformed, Vjp
from jaxref.facts import RefsBound, VjpApplied, VjpInfo
from jaxref.fixes.binding import Entries, Gradient
from jaxref.fixes.edits import (
    NotPossible,
    Patch,
    after_callee,
    call_opening,
    can_precede,
    has_comment,
    outer_span,
)
from jaxref.fixes.names import fresh
from jaxref.fixes.program import Program
from jaxref.fixes.results import (
    Discarded,
    Indexed,
    Named,
    Unpacked,
    Use,
    Whole,
    constant_index,
    is_meant,
    is_read,
    reads_of,
    use_of,
)
from jaxref.quick_dataclasses import dataclass
from jaxref.source.text import Span, replaced


@dataclass(frozen=True, slots=True)
class Application:
    """The place where entries are to go and the expression whose value the gradients are.

    `binding` is the `with_refs` call that is there already; else one is added at `insert_at`.
    `result` is None where the application itself is not at hand (`bound = f_vjp.with_refs()`). `node`
    is where the entries go: the refs for them are to be made before it.
    """

    node: ast.Call
    insert_at: int
    binding: ast.Call | None
    result: ast.expr | None
    logs: bool = False

    def changes(self, program: Program, texts: Sequence[str]) -> list[tuple[Span, str]]:
        """What to change so that these are the entries; entries that stay as they are are not touched."""
        call = self.binding
        if call is None:
            return [(Span(self.insert_at, self.insert_at), f".with_refs({', '.join(texts)})")]
        if len(call.args) == len(texts) and not call.keywords:
            return [
                (program.span(node), text)
                for node, text in zip(call.args, texts, strict=True)
                if program.source(node) != text
            ]
        inside = Span(call_opening(program, call) + 1, program.span(call).end - 1)
        if has_comment(program, inside):
            raise NotPossible
        return [(inside, ", ".join(texts))]


def check_bindable(program: Program, info: VjpInfo) -> None:
    """Raise `NotPossible` where JAX cannot accumulate the gradient of a ref, whatever is bound.

    That is so under `jax.checkpoint`, and for every Ref-typed primal before JAX 0.11.
    """
    if any(leaf.is_ref for leaf in info.leaves) and (info.checkpointed or program.before(0, 11)):
        raise NotPossible


def application_of(program: Program, fact: VjpApplied | RefsBound) -> Application:
    """The application that a fact speaks of. Raises `NotPossible` where a VJP is applied by others."""
    node = fact.site.node
    if not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    if isinstance(fact, RefsBound):
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "with_refs":
            raise NotPossible
        parent = program.parents.get(node)
        result = parent if isinstance(parent, ast.Call) and parent.func is node else None
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            result = _only_call(program, parent.targets[0])
        return Application(node, call_opening(program, node) + 1, node, result)
    if _hands_out_methods(program):
        raise NotPossible
    values = program.value(node.func)
    if values and all(isinstance(value, Vjp) for value in values):
        return Application(node, after_callee(program, node), None, node, _logs(program, node.func))
    inner: ast.expr | None = node.func
    if isinstance(inner, ast.Name):
        inner = _jitted(program, node, inner)
    if isinstance(inner, ast.Call) and inner.args and len(values) == 1:
        # `jax.jit(f_vjp)(ct)`: the VJP is bound before it is jitted.
        given = program.value(inner.args[0])
        kind = values[0].kind if isinstance(values[0], Transformed) else ""
        if kind == "jit" and given and all(isinstance(value, Vjp) for value in given):
            span = outer_span(program, inner.args[0])
            return Application(inner, span.end, None, node, _logs(program, inner.args[0]))
    raise NotPossible


def _jitted(program: Program, node: ast.Call, name: ast.Name) -> ast.expr | None:
    """What `backward = jax.jit(f_vjp)` gave the name of the callee, when this is its only use."""
    binder = program.scope(name).binder(name.id)
    if binder is None or len(binder.bound[name.id]) != 1 or len(binder.read.get(name.id, ())) != 1:
        return None
    store = binder.bound[name.id][0]
    assignment = program.parents.get(store)
    if not isinstance(assignment, ast.Assign) or assignment.targets != [store]:
        return None
    if program.scope(assignment) is not program.scope(node):
        return None
    loops = (ast.For, ast.AsyncFor, ast.While)
    around = [
        [one for one in program.ancestors(each) if isinstance(one, loops)]
        for each in (assignment, node)
    ]
    return assignment.value if around[0] == around[1] else None


def _only_call(program: Program, target: ast.expr) -> ast.Call | None:
    """The call that is all that is done with what is assigned to a local name."""
    if not isinstance(target, ast.Name):
        return None
    binder = program.scope(target).binder(target.id)
    reads = reads_of(program, target)
    if binder is None or len(binder.bound[target.id]) != 1 or len(reads) != 1:
        return None
    call = program.parents.get(reads[0])
    if (
        isinstance(call, ast.Call)
        and call.func is reads[0]
        and program.scope(call) is program.scope(target)
    ):
        return call
    return None


def _hands_out_methods(program: Program) -> bool:
    """`back.__call__` is told from `back` by nothing that is known of the values."""
    content = program.text.content
    # Classes that define it are many.
    return content.count("__call__") > content.count("def __call__") and any(
        isinstance(node, ast.Attribute)
        and node.attr == "__call__"
        and isinstance(node.ctx, ast.Load)
        and any(isinstance(value, Vjp) for value in program.value(node.value))
        for node in program.parents
    )


def _logs(program: Program, node: ast.expr) -> bool:
    span = program.span(node)
    _, held = program.seen[type(node).__name__, span.start, span.end]
    return isinstance(held, VjpObject) and held.logs


def gradients_use(program: Program, application: Application) -> Use | None:
    """How the tuple of gradients is used; None where that cannot be followed."""
    if application.result is None:
        return None
    use = use_of(program, application.result)
    if not application.logs:
        return use
    # With logs the result is a pair whose first part are the gradients.
    match use:
        case Discarded():
            return use
        case Unpacked(statement, (first, _), _):
            if isinstance(first, (ast.Tuple, ast.List)):
                if any(isinstance(item, ast.Starred) for item in first.elts):
                    return None
                return Unpacked(statement, tuple(first.elts), first)
            return Named(statement, first)
        case Indexed(subscript, 0):
            return use_of(program, subscript)
    return None


def primal_at(gradients: Sequence[Gradient], index: int) -> tuple[Gradient, bool] | None:
    """The gradient that an index of the result stands for; the flag tells whether it is all of it."""
    total = sum(gradient.count for gradient in gradients)
    if not -total <= index < total:
        return None
    index %= total
    for gradient in gradients:
        if gradient.first <= index < gradient.first + gradient.count:
            return gradient, not gradient.starred
    return None


def needs_none(
    program: Program,
    use: Use | None,
    gradients: Sequence[Gradient],
    meant: Callable[[Program, ast.expr], bool] = is_read,
) -> bool:
    """True when nobody reads a gradient that the application does not return.

    `meant` tells whether something is to have the gradient that it is assigned.
    """
    match use:
        case Discarded():
            return True
        case Unpacked(_, targets, _):
            groups = grouped(targets, gradients)
            return groups is not None and not any(
                gradient.accumulated is not None and any(meant(program, target) for target in group)
                for gradient, group in groups
            )
        case Named(_, ast.Name() as target) if meant is is_read or reads_of(program, target):
            return all(_reads_value(program, read, gradients) for read in reads_of(program, target))
        case Indexed(_, index):
            found = primal_at(gradients, index)
            return found is not None and found[0].accumulated is None
    return False


def _reads_value(program: Program, read: ast.Name, gradients: Sequence[Gradient]) -> bool:
    parent = program.parents.get(read)
    if not isinstance(parent, ast.Subscript) or parent.value is not read:
        return False
    index = constant_index(parent)
    found = primal_at(gradients, index) if index is not None else None
    return found is not None and found[0].accumulated is None


def grouped(
    targets: Sequence[ast.expr], gradients: Sequence[Gradient]
) -> list[tuple[Gradient, Sequence[ast.expr]]] | None:
    """The targets that each gradient is unpacked to; None when their numbers differ."""
    if len(targets) != sum(gradient.count for gradient in gradients):
        return None
    return [
        (gradient, targets[gradient.first : gradient.first + gradient.count])
        for gradient in gradients
    ]


def put_in(patch: Patch, application: Application, texts: Sequence[str]) -> None:
    """Bind these entries at the application."""
    for span, text in application.changes(patch.program, texts):
        if span.start == span.end:
            patch.insert(span.start, text)
        else:
            patch.replace_span(span, text)


def rewrite_result(
    patch: Patch, application: Application, entries: Entries, host: ast.stmt
) -> None:
    """Bind `entries` at the application and give whoever reads gradients those that were accumulated.

    `host` is the statement before which the gradient refs are made. Raises `NotPossible` where the
    gradients cannot be followed.
    """
    program = patch.program
    use = gradients_use(program, application)
    gradients = entries.gradients
    for line in entries.statements:
        patch.before(host, line)
    kept = all(gradient.accumulated is None for gradient in gradients)
    if kept or needs_none(program, use, gradients, is_meant):
        put_in(patch, application, entries.texts)
        return
    match use:
        case Unpacked(statement, targets, display):
            groups = grouped(targets, gradients)
            if groups is None:
                raise NotPossible
            put_in(patch, application, entries.texts)
            _rewrite_unpacking(patch, application, statement, display, groups)
        case Named(statement, target):
            name = program.source(target)
            put_in(patch, application, entries.texts)
            items = ", ".join(gradient.item(name) for gradient in gradients)
            patch.after(statement, f"{name} = {_tuple(items, gradients)}")
        case Indexed(subscript, index):
            found = primal_at(gradients, index)
            if found is None or not found[1] or application.logs or application.result is None:
                raise NotPossible
            text = _applied(patch, application, entries.texts)
            host = can_precede(program, application.result)
            name = ""
            if found[0].accumulated is not None and "\0" in found[0].accumulated:
                name = fresh("grads", program.function_scope(host))
                text = f"{name} = {text}"
            patch.before(host, text)
            patch.replace(subscript, found[0].read(name))
        case Whole():
            if application.logs or application.result is None:
                raise NotPossible
            text = _applied(patch, application, entries.texts)
            host = can_precede(program, application.result)
            name = ""
            if any(
                gradient.accumulated is None or "\0" in gradient.accumulated
                for gradient in gradients
            ):
                name = fresh("grads", program.function_scope(host))
                text = f"{name} = {text}"
            patch.before(host, text)
            items = ", ".join(gradient.item(name) for gradient in gradients)
            patch.replace(application.result, _tuple(items, gradients))
        case _:
            raise NotPossible


def _tuple(items: str, gradients: Sequence[Gradient]) -> str:
    return f"({items},)" if len(gradients) == 1 else f"({items})"


def _applied(patch: Patch, application: Application, texts: Sequence[str]) -> str:
    """The text of the application with its entries, to stand on a line of its own.

    Where the VJP is bound in another place, as in `backward = jax.jit(f_vjp)`, the entries go there.
    """
    program = patch.program
    node = application.result
    assert node is not None
    start, end = program.span(node)
    moved: list[tuple[Span, str]] = []
    for span, text in application.changes(program, texts):
        if start <= span.start and span.end <= end:
            moved.append((Span(span.start - start, span.end - start), text))
        elif span.start == span.end:
            patch.insert(span.start, text)
        else:
            patch.replace_span(span, text)
    text = replaced(program.text.content[start:end], moved)
    callee = program.source(node.func) if isinstance(node, ast.Call) else text
    return f"({text})" if "\n" in callee or "\r" in callee else text


def _rewrite_unpacking(
    patch: Patch,
    application: Application,
    statement: ast.Assign,
    display: ast.Tuple | ast.List,
    groups: list[tuple[Gradient, Sequence[ast.expr]]],
) -> None:
    program = patch.program
    read_later = "_" in program.scopes.module.read or any(
        "_" in scope.bound and "_" in scope.read
        for scope in program.function_scope(statement).around()
    )
    all_accumulated = all(
        gradient.accumulated is not None and "\0" not in gradient.accumulated
        for gradient, _ in groups
    )
    plain = all(isinstance(target, ast.Name) for _, group in groups for target in group)
    if all_accumulated and plain and display is statement.targets[0]:
        # Nothing of the result is needed: the application stands alone.
        value = outer_span(program, statement.value)
        patch.replace_span(type(value)(program.span(statement).start, value.start), "")
        read_later = True
    for gradient, group in groups:
        if gradient.accumulated is None or not any(is_meant(program, target) for target in group):
            continue
        if "\0" in gradient.accumulated:
            # What is not accumulated is in the target itself.
            if gradient.starred or not isinstance(group[0], ast.Name):
                raise NotPossible
            line = gradient.accumulated.replace(f"\0[{gradient.first}]", group[0].id)
            patch.after(statement, f"{group[0].id} = {line}")
            continue
        left = ", ".join(program.source(target) for target in group)
        if gradient.starred and len(group) == 1:
            left += ","
        patch.after(statement, f"{left} = {gradient.accumulated}")
        for target in group:
            if isinstance(target, ast.Name) and not read_later:
                patch.replace(target, "_")


def same_everywhere(program: Program, node: ast.AST, info: VjpInfo) -> bool:
    """True when every VJP that gets to `node` is unbound and of the same primals as `info`."""
    for fact in program.facts:
        if fact.site.node is not node:
            continue
        if isinstance(fact, VjpApplied):
            if fact.binding is not None:
                return False
        elif not isinstance(fact, RefsBound):
            continue
        other = fact.vjp
        if other.call is not info.call or other.treedef != info.treedef:
            return False
        if [leaf.is_ref for leaf in other.leaves] != [leaf.is_ref for leaf in info.leaves]:
            return False
    return True
