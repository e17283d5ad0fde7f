"""A ref that a function under `jax.vmap` writes for all examples: a row for each, or one example at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxref.domain.values import Array, RefValue
from jaxref.facts import RefAccessed, VjpApplied
from jaxref.fixes.callees import Callee, callee, is_only_run_by
from jaxref.fixes.edits import NotPossible, Patch, can_precede, outer_span
from jaxref.fixes.layout import on_its_own
from jaxref.fixes.maps import Map, map_of
from jaxref.fixes.model import Fix
from jaxref.fixes.names import fresh
from jaxref.fixes.primals import is_path
from jaxref.fixes.program import DEFINITIONS, Program
from jaxref.fixes.scopes import Scope
from jaxref.source.text import Span, replaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding

SUMMED = (
    "float64",
    "float32",
    "bfloat16",
    "float16",
    "int64",
    "int32",
    "uint64",
    "uint32",
    "complex64",
)
"""Dtypes that a sum of an array keeps."""


def add_rows(program: Program, finding: Finding) -> Fix:
    """A ref of zeros with a row for each example is mapped over, and its rows are added up afterwards."""
    fact = finding.fact
    if not isinstance(fact, RefAccessed) or fact.object.dtype not in SUMMED:
        raise NotPossible
    if fact.object.kind is not None:
        raise NotPossible
    if any(trace.kind == "grad" for trace in fact.site.traces):
        raise NotPossible
    found = map_of(program, fact)
    function = _callee(program, found)
    passed = [
        index
        for index, node in enumerate(found.call.args)
        if any(isinstance(v, RefValue) and v.id == fact.ref.id for v in program.value(node))
    ]
    host = can_precede(program, found.call)
    patch = Patch(program)
    changes: list[tuple[Span, str]] = []
    if passed:
        (index,) = passed if len(passed) == 1 else (-1,)
        if index < 0 or found.axes[index] is not None or found.listed is None:
            raise NotPossible
        outside = found.call.args[index]
        inside: ast.expr = ast.Name(function.parameter(index).arg, ast.Load())
    else:
        outside = inside = _owner(program, fact)
    if not is_path(outside):
        raise NotPossible
    uses = list(_uses(program, function, inside, outside))
    _check_accumulates(program, fact, function, uses)
    text = program.words(outside)
    scope = program.function_scope(host)
    rows = fresh(f"{_base(outside)}_rows", scope)
    if passed:
        assert found.listed is not None
        changes.append((program.span(found.listed.elts[index]), "0"))
        changes.append((program.span(outside), rows))
    else:
        _check_visible(program, outside, found, function)
        name = _add_parameter(patch, function, outside, uses)
        end = outer_span(program, found.call.args[-1]).end
        if found.call.keywords:
            # What is passed by name is mapped over its first axis.
            changes.append((Span(end, end), f", {name}={rows}"))
        else:
            changes += [*_added_axis(program, found), (Span(end, end), f", {rows}")]
    size = _size(patch, found, host, changes)
    shape = f"({size}, *{text}.shape)"
    if fact.object.shape == ():
        shape = size
    zeros, new_ref = patch.jax("jax.numpy.zeros", host), patch.jax("jax.new_ref", host)
    patch.before(host, f"{rows} = {new_ref}({zeros}({shape}, {text}.dtype))")
    _put_after(patch, found, host, changes, outside, f"{text}[...] += {rows}[...].sum(0)")
    return patch.fix(
        f"Give each example a row of its own, and add them to `{text}` afterwards",
        "safe",
        preferred=True,
    )


def _callee(program: Program, found: Map) -> Callee:
    """What is mapped, when nothing else runs it."""
    if isinstance(found.function, DEFINITIONS):
        function = Callee(found.function)
    else:
        assert isinstance(found.function, ast.expr)
        function = callee(program, found.function)
    if not is_only_run_by(program, found.call.func, function.node):
        raise NotPossible("other calls run the function, too")
    return function


def _owner(program: Program, fact: RefAccessed) -> ast.expr:
    """The expression for the ref where it is accessed."""
    node = fact.site.node
    if not program.has(node):
        raise NotPossible
    if fact.action == "accumulate":
        for other in program.facts:
            if isinstance(other, VjpApplied) and other.site.node is node and other.binding:
                call = other.binding.site.node
                for entry in call.args if isinstance(call, ast.Call) else ():
                    if any(
                        isinstance(v, RefValue) and v.id == fact.ref.id
                        for v in program.value(entry)
                    ):
                        return entry
        raise NotPossible
    if isinstance(node, ast.Subscript):
        return node.value
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and len(node.args) < 3:
            return node.func.value
        if node.args:
            return node.args[0]
    raise NotPossible


def _uses(
    program: Program, function: Callee, inside: ast.expr, outside: ast.expr
) -> Iterator[ast.expr]:
    """Where the function names the ref."""
    wanted = ast.dump(inside)
    own = program.scopes.of(function.node)
    for node in ast.walk(function.node):
        if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            continue
        if ast.dump(node) != wanted or not is_path(node):
            continue
        name = next(part for part in ast.walk(node) if isinstance(part, ast.Name))
        binder = program.scope(node).binder(name.id)
        if inside is not outside:
            if binder is own:
                yield node
        elif binder is not own or not isinstance(node, ast.Name):
            yield node


def _check_accumulates(
    program: Program, fact: RefAccessed, function: Callee, uses: list[ast.expr]
) -> None:
    """Raise `NotPossible` unless all that the function does to the ref is to add to it."""
    if not uses or not all(_adds(program, use) for use in uses):
        raise NotPossible("the function does more to the ref than adding to it")
    trace = fact.unbatched
    assert trace is not None
    for other in program.facts:
        if not isinstance(other, RefAccessed) or other.ref.id != fact.ref.id:
            continue
        if any(one.id == trace.id for one in other.site.traces):
            node = other.site.node
            if not program.has(node) or function.node not in program.ancestors(node):
                raise NotPossible
            if any(one.kind in ("cond", "switch") for one in other.site.traces):
                raise NotPossible("JAX maps no branch that writes a ref")
    for applied in program.facts:
        if isinstance(applied, VjpApplied) and applied.binding is not None:
            for entry, leaf in zip(applied.binding.entries, applied.vjp.leaves, strict=False):
                if any(ref.id == fact.ref.id for ref, _ in entry.refs) and leaf.written:
                    # What a gradient ref holds is not just added to then.
                    raise NotPossible


def _adds(program: Program, use: ast.expr) -> bool:
    """True where the content of a ref is added to, and nothing else is done with it."""
    parent = program.parents.get(use)
    if isinstance(parent, ast.Attribute) and parent.value is use:
        if parent.attr in ("shape", "dtype", "ndim", "size"):
            return True
        call = program.parents.get(parent)
        return parent.attr == "addupdate" and isinstance(call, ast.Call) and call.func is parent
    if isinstance(parent, ast.Call) and use in parent.args:
        name = getattr(parent.func, "attr", getattr(parent.func, "id", ""))
        return name == "with_refs" or (name == "addupdate" and parent.args[0] is use)
    if not isinstance(parent, ast.Subscript) or parent.value is not use:
        return False
    statement = program.statement(parent)
    match statement:
        case ast.AugAssign(op=ast.Add() | ast.Sub()):
            return statement.target is parent
        case ast.Assign(targets=[target], value=ast.BinOp(left=left, op=op, right=right)):
            # `r[i] = r[i] + v`
            old = left if isinstance(op, ast.Sub) or _is_place(left, target) else right
            return (
                isinstance(op, (ast.Add, ast.Sub))
                and _is_place(old, target)
                and parent in (target, old)
            )
    return False


def _is_place(node: ast.expr, target: ast.expr) -> bool:
    """True when `node` reads the place that `target` stores to."""
    calls = any(isinstance(part, (ast.Call, ast.NamedExpr)) for part in ast.walk(target))
    return not calls and ast.dump(target).replace("Store()", "Load()") == ast.dump(node)


def _check_visible(program: Program, outside: ast.expr, found: Map, function: Callee) -> None:
    """Raise `NotPossible` unless the name in the function means the same where the map is called."""
    name = next(part for part in ast.walk(outside) if isinstance(part, ast.Name))
    binder = program.scope(outside).binder(name.id)
    if binder is None:
        raise NotPossible
    if program.scope(found.call).binder(name.id) is binder:
        if len(binder.bound[name.id]) == 1:
            return
        raise NotPossible
    # `self.steps` in a method that another one maps.
    mapped = found.function
    method = program.function_scope(found.call).node
    if (
        isinstance(mapped, ast.Attribute)
        and isinstance(mapped.value, ast.Name)
        and mapped.value.id == name.id
        and function.receiver
        and isinstance(method, DEFINITIONS)
        and method.args.args
        and method.args.args[0].arg == name.id
        and program.parents.get(method) is program.parents.get(function.node)
    ):
        return
    raise NotPossible


def _add_parameter(patch: Patch, function: Callee, outside: ast.expr, uses: list[ast.expr]) -> str:
    """A last parameter for the ref, of the name it had."""
    program = patch.program
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    if spec.vararg or spec.kwonlyargs or spec.kwarg or spec.defaults or not positional:
        raise NotPossible
    scope = program.scopes.of(function.node)
    if scope is None:
        raise NotPossible
    name = _base(outside)
    if not isinstance(outside, ast.Name):
        name = fresh(name, scope) if name in scope.read or name in scope.bound else name
    elif name in scope.bound or any(name in one.declared for one in _inner(scope)):
        raise NotPossible
    patch.insert(program.span(positional[-1]).end, f", {name}")
    for use in uses:
        patch.replace(use, name)
    return name


def _inner(scope: Scope) -> Iterator[Scope]:
    """A scope and those inside of it."""
    yield scope
    for one in scope.inner:
        yield from _inner(one)


def _base(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr.strip("_") or "ref"
        case ast.Subscript(slice=ast.Constant(value=str(key))) if key.isidentifier():
            return key
    return "ref"


def _added_axis(program: Program, found: Map) -> list[tuple[Span, str]]:
    """The axis of one more argument, which is mapped over its first."""
    if found.listed is not None:
        end = outer_span(program, found.listed.elts[-1]).end
        return [(Span(end, end), ", 0")]
    if found.single is None or found.axes[0] == 0:
        return []
    axes = ", ".join([program.source(found.single)] * len(found.axes))
    return [(program.span(found.single), f"({axes}, 0)")]


def _size(patch: Patch, found: Map, host: ast.stmt, changes: list[tuple[Span, str]]) -> str:
    """How to write the number of examples; an argument that is no name gets one before `host`."""
    program = patch.program
    mapped = [index for index, axis in enumerate(found.axes) if axis is not None]
    mapped.sort(key=lambda index: not is_path(found.call.args[index]))
    if not mapped:
        raise NotPossible
    index = mapped[0]
    node, axis = found.call.args[index], found.axes[index]
    text = program.source(node)
    if not is_path(node):
        text = fresh("examples", program.function_scope(host))
        patch.before(host, f"{text} = {on_its_own(program.source(node))}")
        changes.append((program.span(node), text))
    known = found.arguments[index] if index < len(found.arguments) else None
    if isinstance(known, Array) and axis == 0:
        return f"len({text})"
    if isinstance(known, (Array, RefValue)):
        return f"{text}.shape[{axis}]"
    leaves = patch.jax("jax.tree.leaves", host)
    return f"{leaves}({text})[0].shape[{axis}]"


def _put_after(
    patch: Patch,
    found: Map,
    host: ast.stmt,
    changes: list[tuple[Span, str]],
    ref: ast.expr,
    line: str,
) -> None:
    """Make the changes, and run `line`, which adds to `ref`, right after the call of the map."""
    program = patch.program
    call = program.span(found.call)
    alone = isinstance(host, (ast.Expr, ast.Assign, ast.AnnAssign)) and host.value is found.call
    inside = [one for one in changes if call.start <= one[0].start and one[0].end <= call.end]
    for span, text in changes:
        if alone or (span, text) not in inside:
            patch.insert(span.start, text) if span.start == span.end else patch.replace_span(
                span, text
            )
    if alone:
        patch.after(host, line)
        return
    _check_order(program, found, host, ref)
    name = fresh("mapped", program.function_scope(host))
    moved = [(Span(s.start - call.start, s.end - call.start), text) for s, text in inside]
    text = replaced(program.text.slice(call), sorted(moved))
    patch.before(host, f"{name} = {on_its_own(text)}")
    patch.before(host, line)
    patch.replace(found.call, name)


def _check_order(program: Program, found: Map, host: ast.stmt, ref: ast.expr) -> None:
    """Raise `NotPossible` when the statement looks at the ref before it calls the map."""
    used = {one.id for one in ast.walk(ref) if isinstance(one, ast.Name)}
    start = program.span(found.call).start
    if any(
        isinstance(one, ast.Name) and one.id in used and program.span(one).end <= start
        for one in ast.walk(host)
    ):
        raise NotPossible


REMEDIES = {"vmap-closes-over-ref": (add_rows,)}
