"""A ref among what is differentiated: its value in its place, where the function only reads it.

`w[...]` of an array is the array, so a function that only reads its ref by indexing takes either.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from jaxref.domain.trees import TreeDef
from jaxref.domain.values import Array, Const, RefValue, Unknown
from jaxref.facts import (
    DerivativeTaken,
    FunctionTraced,
    Place,
    PrimalLeaf,
    RefAccessed,
    RefsBound,
    VjpApplied,
    VjpInfo,
)
from jaxref.fixes.callees import Node, callee, is_index_read, reads_alike
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.model import Fix
from jaxref.fixes.operands import POSTFIX, read
from jaxref.fixes.primals import is_key, primals_of
from jaxref.fixes.program import Program
from jaxref.fixes.results import Discarded, Unpacked, is_meant, use_of
from jaxref.quick_dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


@dataclass(frozen=True, slots=True)
class Argument:
    """An expression whose value is differentiated, or, `starred`, the items of which are.

    `treedefs` are their structures, None where only the paths of the leaves tell of them.
    """

    node: ast.expr
    leaves: tuple[PrimalLeaf, ...]
    treedefs: tuple[TreeDef, ...] | None
    starred: bool = False


def by_value(program: Program, finding: Finding) -> Fix:
    """`jax.vjp(f, w[...], x)` for `jax.vjp(f, w, x)`: the gradient then comes back as a value."""
    fact = finding.fact
    if not isinstance(fact, (VjpApplied, RefsBound)):
        raise NotPossible
    info = fact.vjp
    call = info.call
    if call is None or not program.has(call):
        raise NotPossible
    node = fact.site.node
    if isinstance(node, ast.expr) and not _is_wanted(program, node, info):
        raise NotPossible("the gradient is used nowhere as a value")
    for other in program.facts:
        if isinstance(other, (RefsBound, VjpApplied)) and other.vjp.call is call:
            if other.binding is not None and other.binding.entries:
                raise NotPossible("the same VJP is bound elsewhere")
    if info.maker == "jax.vjp":
        arguments = [
            Argument(primal.node, primal.leaves, primal.treedefs, primal.starred)
            for primal in primals_of(program, info)
        ]
    elif info.maker == "jax.fwd_and_bwd":
        arguments = _picked(call.args, info.leaves, info.treedef)
    else:
        raise NotPossible
    return _pass_values(program, arguments, info.site.place)


def of_derivative(program: Program, finding: Finding) -> Fix:
    """The same for `jax.jvp`, `jax.linearize`, `jax.jacfwd`, `jax.grad` and the like.

    Where that is not sure to work, the function is given a ref of its own made of the value.
    """
    try:
        return _value_for_ref(program, finding)
    except NotPossible:
        from jaxref.fixes.remedies.gradient import by_own_ref

        return by_own_ref(program, finding)


def _value_for_ref(program: Program, finding: Finding) -> Fix:
    fact = finding.fact
    if not isinstance(fact, DerivativeTaken):
        raise NotPossible
    call = fact.transform_call
    if not isinstance(call, ast.Call):
        return _of_decorated(program, fact)
    if not program.has(call):
        raise NotPossible
    if fact.transform == "linearize":
        for other in program.facts:
            if isinstance(other, DerivativeTaken) and other.transform_call is call:
                if any(isinstance(tangent, RefValue) for tangent in other.tangents):
                    raise NotPossible("the linear function is also given a ref of tangents")
        arguments = _picked(call.args[1:], fact.leaves, None)
        return _pass_values(program, arguments, Place(program.path, program.span(call)))
    if fact.transform == "jvp":
        display = call.args[1] if len(call.args) > 1 else None
        if not isinstance(display, (ast.Tuple, ast.List)):
            raise NotPossible
        arguments = _picked(display.elts, fact.leaves, None)
        return _pass_values(program, arguments, fact.site.place)
    if isinstance(program.parents.get(call), (ast.FunctionDef, ast.AsyncFunctionDef)):
        return _of_decorated(program, fact)
    from jaxref.fixes.remedies.gradient import derivative_of

    found = derivative_of(program, fact)
    nodes = [found.application.args[position] for position in found.positions]
    count = len({leaf.position for leaf in fact.leaves})
    if not found.only_use or count != len(nodes):
        raise NotPossible
    arguments = _picked(nodes, fact.leaves, None)
    if fact.transform == "jacfwd":
        return _pass_values(program, arguments, fact.site.place)
    # JAX stopped before it called the function, so that only its text tells what it does.
    function = callee(program, found.transform.args[0])
    _check_plain(function.node)
    for position, argument in zip(found.positions, arguments, strict=True):
        if any(leaf.is_ref for leaf in argument.leaves):
            _check_text(program, function.node, function.parameter(position), argument.leaves)
    return _pass_values(program, arguments, None)


def _of_decorated(program: Program, fact: DerivativeTaken) -> Fix:
    """The same where the transform is the function's only decorator."""
    node = fact.site.node
    if not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    function = callee(program, node.func)
    if len(getattr(function.node, "decorator_list", ())) != 1:
        raise NotPossible
    arguments: list[Argument] = []
    for index, argument in enumerate(node.args):
        if isinstance(argument, ast.Starred):
            break
        text = program.source(argument)
        leaves = tuple(
            leaf
            for leaf in fact.leaves
            if leaf.text == text or leaf.text.startswith((f"{text}[", f"{text}."))
        )
        if any(leaf.is_ref for leaf in leaves):
            _check_text(program, function.node, function.parameter(index), leaves)
            arguments.append(Argument(argument, leaves, None))
    given = {leaf for one in arguments for leaf in one.leaves}
    if any(leaf.is_ref and leaf not in given for leaf in fact.leaves):
        raise NotPossible
    return _pass_values(program, arguments, None)


def _is_wanted(program: Program, node: ast.expr, info: VjpInfo) -> bool:
    """False when nobody takes the gradient of a ref from the result of an application."""
    use = use_of(program, node)
    if isinstance(use, Unpacked) and len(use.targets) == len(info.arg_texts):
        positions = sorted({leaf.position for leaf in info.leaves})
        if positions != list(range(len(use.targets))):
            return True
        refs = {leaf.position for leaf in info.leaves if leaf.is_ref}
        return any(is_meant(program, use.targets[position]) for position in refs)
    return not isinstance(use, Discarded)


def _picked(
    nodes: Sequence[ast.expr], leaves: Sequence[PrimalLeaf], treedef: TreeDef | None
) -> list[Argument]:
    """The arguments that have leaves, by the positions of these, or in their order."""
    if any(isinstance(node, ast.Starred) for node in nodes):
        raise NotPossible
    positions = sorted({leaf.position for leaf in leaves})
    if positions and positions[-1] >= len(nodes):
        raise NotPossible
    if treedef is not None and len(treedef.children) != len(positions):
        raise NotPossible
    return [
        Argument(
            nodes[position],
            tuple(leaf for leaf in leaves if leaf.position == position),
            (treedef.children[index],) if treedef is not None else None,
        )
        for index, position in enumerate(positions)
    ]


def _pass_values(program: Program, arguments: Sequence[Argument], place: Place | None) -> Fix:
    refs = {ref.id for one in arguments for leaf in one.leaves for ref, _ in leaf.refs}
    for one in arguments:
        for leaf in one.leaves:
            if leaf.is_ref and (leaf.written or is_key(leaf)):
                raise NotPossible("the function writes the ref")
            if any((ref.dtype or "").startswith(("int", "uint", "bool")) for ref, _ in leaf.refs):
                raise NotPossible("the ref holds integers")
    if place is not None:
        _check_uses(program, refs, place)
    patch = Patch(program)
    texts = [text for one in arguments for text in _read_leaves(patch, one)]
    if not texts:
        raise NotPossible
    words = "the refs" if len(texts) > 1 else "the ref" if len(texts[0]) > 30 else f"`{texts[0]}`"
    return patch.fix(f"Differentiate with respect to the value of {words}", "safe")


def _check_uses(program: Program, refs: set[int], place: Place) -> None:
    """Raise `NotPossible` unless the function traced at `place` does nothing to the refs but index them."""
    for fact in program.facts:
        if not any(trace.place == place for trace in fact.site.traces):
            continue
        if isinstance(fact, RefAccessed) and fact.ref.id in refs:
            if fact.action != "read" or not reads_alike(fact.site.node):
                raise NotPossible("the function does more with the ref than to index it")
        elif isinstance(fact, (VjpApplied, RefsBound, DerivativeTaken)):
            leaves = fact.leaves if isinstance(fact, DerivativeTaken) else fact.vjp.leaves
            if any(ref.id in refs for leaf in leaves for ref, _ in leaf.refs):
                raise NotPossible("the function differentiates with respect to the ref itself")
        elif isinstance(fact, FunctionTraced) and fact.trace.kind in ("kernel", "custom_vjp"):
            if any(ref.id in refs for ref, _, _ in fact.passed):
                raise NotPossible


MOST_CALLS = 4


def _check_text(
    program: Program,
    function: Node,
    parameter: ast.arg,
    leaves: Sequence[PrimalLeaf],
    calls: int = 0,
) -> None:
    """Raise `NotPossible` unless the refs in a parameter are only indexed and asked for their type.

    That may be in functions that the parameter is passed on to as a whole.
    """
    if calls > MOST_CALLS:
        raise NotPossible
    scope = program.scopes.of(function)
    if scope is None or len(scope.bound.get(parameter.arg, ())) != 1:
        raise NotPossible
    steps = {_steps(leaf.path)[1:]: leaf for leaf in leaves}
    for use in scope.read.get(parameter.arg, ()):
        inner: ast.expr = use
        taken: tuple[str, ...] = ()
        outer = program.parents.get(use)
        if isinstance(outer, ast.Call) and use in outer.args:
            position = outer.args.index(use)
            if any(isinstance(one, ast.Starred) for one in outer.args[:position]):
                raise NotPossible
            helper = callee(program, outer.func)
            _check_plain(helper.node)
            _check_text(program, helper.node, helper.parameter(position), leaves, calls + 1)
            continue
        while taken not in steps:
            outer = program.parents.get(inner)
            if not isinstance(outer, (ast.Subscript, ast.Attribute)) or outer.value is not inner:
                raise NotPossible
            taken, inner = (*taken, _step(outer)), outer
        if not steps[taken].is_ref:
            continue
        if not is_index_read(program, inner):
            raise NotPossible


def _check_plain(function: Node) -> None:
    if getattr(function, "decorator_list", None):
        raise NotPossible


def _steps(path: str) -> tuple[str, ...]:
    """The steps of a path such as `args[0]['w'].scale`."""
    found: list[str] = []
    node: ast.expr = ast.parse(path, mode="eval").body
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        found.insert(0, _step(node))
        node = node.value
    return tuple(found)


def _step(node: ast.Subscript | ast.Attribute) -> str:
    return f".{node.attr}" if isinstance(node, ast.Attribute) else f"[{ast.unparse(node.slice)}]"


def _read_leaves(patch: Patch, argument: Argument) -> Iterator[str]:
    """Read the refs of an argument; yields the user's words for what is read."""
    program, node = patch.program, argument.node
    leaves = argument.leaves
    if not any(leaf.is_ref for leaf in leaves):
        return
    if any(leaf.is_ref and not leaf.certain for leaf in leaves):
        raise NotPossible
    text = program.source(node)
    if _is_single(argument):
        read(patch, node)
        yield program.words(node)
        return
    if isinstance(node, (ast.Tuple, ast.List)) and argument.treedefs is not None:
        children = argument.treedefs[0].children
        if len(children) == len(node.elts) and not argument.starred:
            rest = list(leaves)
            for item, child in zip(node.elts, children, strict=True):
                inner = [rest.pop(0) for _ in range(_count(child))]
                yield from _read_leaves(patch, Argument(item, tuple(inner), (child,)))
            return
    if any(isinstance(leaf.value, Unknown) for leaf in leaves) or not isinstance(node, POSTFIX):
        raise NotPossible
    name = "ref" if text != "ref" else "one"
    value = f"{name}[...]"
    if argument.starred or not all(leaf.is_ref for leaf in leaves):
        # What is starred is often given by callers, who may pass something else another time.
        if not all(leaf.is_ref or isinstance(leaf.value, (Array, Const)) for leaf in leaves):
            raise NotPossible
        name = "leaf" if text != "leaf" else "one"
        value = f"{name}[...] if isinstance({name}, {patch.jax('jax.Ref', node)}) else {name}"
    tree_map = patch.jax("jax.tree.map", node)
    patch.replace(node, f"{tree_map}(lambda {name}: {value}, {text})")
    yield program.words(node)


def _is_single(argument: Argument) -> bool:
    """True when the argument is one ref."""
    if len(argument.leaves) != 1 or argument.starred:
        return False
    if argument.treedefs is not None:
        return len(argument.treedefs) == 1 and argument.treedefs[0].kind == "leaf"
    leaf = argument.leaves[0]
    return leaf.path == f"args[{leaf.position}]"


def _count(treedef: TreeDef) -> int:
    if treedef.kind == "unknown":
        raise NotPossible
    return 1 if treedef.kind == "leaf" else sum(map(_count, treedef.children))


REMEDIES = {
    "forward-mode-of-ref": (of_derivative,),
    "grad-of-ref": (of_derivative,),
}
