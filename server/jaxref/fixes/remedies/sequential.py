"""One example after the other, by `jax.lax.map`, where a function under `jax.vmap` writes a shared ref."""

from __future__ import annotations

import ast

from jaxref.facts import RefAccessed
from jaxref.fixes.callees import callee, is_only_run_by
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.maps import Map, map_of
from jaxref.fixes.model import Fix
from jaxref.fixes.primals import is_path
from jaxref.fixes.program import DEFINITIONS, Program
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def one_by_one(program: Program, finding: Finding) -> Fix:
    """`jax.lax.map(f, xs)` for `jax.vmap(f)(xs)`."""
    fact = finding.fact
    if not isinstance(fact, RefAccessed):
        raise NotPossible
    found = map_of(program, fact)
    call, maker = found.call, found.maker
    keywords = {one.arg for one in getattr(maker, "keywords", ())}
    out_axes = found.option("out_axes")
    if keywords - {"in_axes", "out_axes"} or call.keywords or not set(found.axes) <= {0, None}:
        raise NotPossible
    if isinstance(maker, ast.Call) and len(maker.args) > 2:
        raise NotPossible
    if out_axes is not None and not (isinstance(out_axes, ast.Constant) and out_axes.value == 0):
        raise NotPossible
    if 0 not in found.axes:
        raise NotPossible
    patch = Patch(program)
    if isinstance(found.function, ast.expr):
        function = program.source(found.function)
        atom = isinstance(found.function, (ast.Name, ast.Attribute, ast.Call))
        if maker is call.func:
            _replace_map(patch, found, function if atom else f"({function})", function)
        else:
            _replace_maker(patch, found, function if atom else f"({function})", function)
    else:
        _replace_decorated(patch, found)
    return patch.fix("Run the examples one after the other: `jax.lax.map` (slower)", "unsafe")


def _replace_map(patch: Patch, found: Map, called: str, function: str) -> None:
    program = patch.program
    texts = [program.source(node) for node in found.call.args]
    if not all(
        is_path(node) or isinstance(node, ast.Constant)
        for node, axis in zip(found.call.args, found.axes, strict=True)
        if axis is None
    ):
        # It would be evaluated while the function is traced.
        raise NotPossible
    patch.replace(found.call, _mapped(patch, found, called, function, texts))


def _replace_maker(patch: Patch, found: Map, called: str, function: str) -> None:
    """`lambda x: jax.lax.map(f, x)` for `jax.vmap(f)`."""
    program = patch.program
    assert isinstance(found.function, ast.expr)
    runs = callee(program, found.function)
    names = [runs.parameter(index).arg for index in range(len(found.axes))]
    if _free(program, found.function) & set(names):
        raise NotPossible
    text = f"lambda {', '.join(names)}: {_mapped(patch, found, called, function, names)}"
    parent = program.parents.get(found.maker)
    bare = isinstance(parent, (ast.Assign, ast.Call)) and parent is not None
    if isinstance(parent, ast.Call) and parent.func is found.maker:
        bare = False
    patch.replace(found.maker, text if bare else f"({text})")


def _replace_decorated(patch: Patch, found: Map) -> None:
    program = patch.program
    assert isinstance(found.function, DEFINITIONS)
    call = found.call
    if not isinstance(call.func, ast.Name):
        raise NotPossible
    if not is_only_run_by(program, call.func, found.function):
        raise NotPossible("other calls run the function, too")
    if len(found.function.decorator_list) != 1:
        raise NotPossible
    start, end = program.span(found.maker)
    patch.remove_lines(Span(program.text.content.rfind("@", 0, start), end))
    _replace_map(patch, found, call.func.id, call.func.id)


def _mapped(patch: Patch, found: Map, called: str, function: str, texts: list[str]) -> str:
    """The call of `jax.lax.map` over the arguments `texts`."""
    lax_map = patch.jax("jax.lax.map", found.call)
    over = [text for text, axis in zip(texts, found.axes, strict=True) if axis == 0]
    if len(texts) == 1:
        return f"{lax_map}({function}, {texts[0]})"
    if len(over) == len(texts):
        return f"{lax_map}(lambda args: {called}(*args), ({', '.join(texts)}))"
    program = patch.program
    shared = [one for one, axis in zip(found.call.args, found.axes, strict=True) if axis is None]
    used = {called}.union(*(_free(program, one) for one in shared))
    if isinstance(found.function, ast.expr):
        used |= _free(program, found.function)
    item = "x" if len(over) == 1 else "args"
    while item in used:
        item += "_"
    count = 0
    given: list[str] = []
    for text, axis in zip(texts, found.axes, strict=True):
        if axis is None:
            given.append(text)
            continue
        given.append(item if len(over) == 1 else f"{item}[{count}]")
        count += 1
    operand = over[0] if len(over) == 1 else f"({', '.join(over)})"
    return f"{lax_map}(lambda {item}: {called}({', '.join(given)}), {operand})"


def _free(program: Program, node: ast.expr) -> set[str]:
    """The names that an expression reads, a lambda's own left out."""
    scope = program.scopes.of(node)
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names - set(scope.bound if scope is not None else ())


REMEDIES = {"vmap-closes-over-ref": (one_by_one,)}
