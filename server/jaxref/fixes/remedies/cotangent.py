"""A cotangent that has not the structure of the output."""

from __future__ import annotations

import ast

from jaxref.domain.trees import mismatch
from jaxref.domain.values import Array, Shape
from jaxref.facts import VjpApplied
from jaxref.fixes.application import check_bindable
from jaxref.fixes.edits import NotPossible, Patch, call_opening
from jaxref.fixes.model import Fix
from jaxref.fixes.primals import means_the_same
from jaxref.fixes.program import Program
from jaxref.fixes.results import Unpacked, use_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def as_one(program: Program, finding: Finding) -> Fix:
    """`f_vjp((a, b))` for `f_vjp(a, b)`."""
    fact, call = _call(program, finding)
    if len(call.args) == 1 and isinstance(call.args[0], ast.Starred) and not call.keywords:
        return _collected(program, fact, call, call.args[0])
    if fact.arguments < 2 or call.keywords or fact.arguments != len(call.args):
        raise NotPossible
    out = fact.vjp.out
    if out is not None and (
        out.treedef.kind not in ("tuple", "unknown") or len(out.treedef.children) != len(call.args)
    ):
        raise NotPossible
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        raise NotPossible
    patch = Patch(program)
    patch.insert(call_opening(program, call) + 1, "(")
    patch.insert(program.span(call.args[-1]).end, ")")
    return patch.fix("Put the cotangents into one tuple", "safe", preferred=True)


def _collected(program: Program, fact: VjpApplied, call: ast.Call, argument: ast.Starred) -> Fix:
    """`f_vjp(tuple(seeds))` for `f_vjp(*seeds)`."""
    out = fact.vjp.out
    if out is None or out.treedef.kind not in ("tuple", "list"):
        raise NotPossible
    if len(out.treedef.children) != fact.arguments:
        raise NotPossible
    kind = out.treedef.kind
    if program.scope(call).binder(kind) is not None:
        raise NotPossible
    patch = Patch(program)
    patch.replace(argument, f"{kind}({program.source(argument.value)})")
    return patch.fix(f"Put the cotangents into one {kind}", "safe", preferred=True)


def zero_for_none(program: Program, finding: Finding) -> Fix:
    """Zeros for `None`, which JAX takes for a missing part of the tree and not for a zero cotangent."""
    fact, call = _call(program, finding)
    out = fact.vjp.out
    if out is None or len(call.args) != 1 or call.keywords or not out.treedef.known():
        raise NotPossible
    display = call.args[0]
    if not isinstance(display, (ast.Tuple, ast.List)):
        raise NotPossible
    if len(out.treedef.children) != len(display.elts) or len(out.leaves) != len(display.elts):
        raise NotPossible
    patch = Patch(program)
    outputs = _outputs(program, fact)
    for index, item in enumerate(display.elts):
        if not isinstance(item, ast.Constant) or item.value is not None:
            continue
        value = out.leaves[index].value
        if outputs is not None and _is_at_hand(program, outputs[index], call):
            zeros = patch.jax("jax.numpy.zeros_like", call)
            patch.replace(item, f"{zeros}({program.source(outputs[index])})")
        elif isinstance(value, Array) and value.dtype == "float32" and _is_known(value.shape):
            patch.replace(item, f"{patch.jax('jax.numpy.zeros', call)}({value.shape})")
        else:
            raise NotPossible
    return patch.fix("Give zeros for `None`", "safe", preferred=True)


def fill(program: Program, finding: Finding) -> Fix:
    """`jnp.full_like(out, 2.0)` for the cotangent `2.0` of an array."""
    fact, call = _call(program, finding)
    out, given = fact.vjp.out, fact.cotangent
    if out is None or given is None or out.treedef.kind != "leaf" or given.treedef.kind != "leaf":
        raise NotPossible
    if len(call.args) != 1 or call.keywords or fact.vjp.call is None:
        raise NotPossible
    value, argument = out.leaves[0].value, call.args[0]
    if not isinstance(value, Array) or value.shape in (None, ()):
        raise NotPossible
    try:
        number = ast.literal_eval(argument)
    except (ValueError, SyntaxError):
        raise NotPossible from None
    use = use_of(program, fact.vjp.call)
    if type(number) not in (int, float) or not isinstance(use, Unpacked):
        raise NotPossible
    target = use.targets[0]
    if not _is_at_hand(program, target, call):
        raise NotPossible
    patch = Patch(program)
    name = program.source(target)
    if number == 1:
        patch.replace(argument, f"{patch.jax('jax.numpy.ones_like', call)}({name})")
        return patch.fix("Give ones: the gradient of the sum of all outputs", "unsafe")
    full_like = patch.jax("jax.numpy.full_like", call)
    patch.replace(argument, f"{full_like}({name}, {program.source(argument)})")
    return patch.fix("Give the number for every output", "unsafe")


def _is_known(shape: Shape | None) -> bool:
    """True when all dimensions are known."""
    return shape is not None and None not in shape


def _outputs(program: Program, fact: VjpApplied) -> list[ast.expr] | None:
    """The targets that the parts of the output were unpacked to where the VJP was made."""
    use = use_of(program, fact.vjp.call) if fact.vjp.call is not None else None
    if not isinstance(use, Unpacked) or not isinstance(use.targets[0], (ast.Tuple, ast.List)):
        return None
    targets = use.targets[0].elts
    count = len(fact.vjp.out.treedef.children) if fact.vjp.out is not None else 0
    starred = any(isinstance(target, ast.Starred) for target in targets)
    return None if starred or len(targets) != count else targets


def _is_at_hand(program: Program, target: ast.expr, call: ast.Call) -> bool:
    """True when what was assigned to a name is what the name means at the call."""
    if not isinstance(target, ast.Name) or not program.has(target):
        return False
    return means_the_same(program, target, call, program.span(call).start)


def other_container(program: Program, finding: Finding) -> Fix:
    """A tuple for a list and the other way round; no tuple around a single cotangent."""
    fact, call = _call(program, finding)
    out, given = fact.vjp.out, fact.cotangent
    if out is None or given is None or len(call.args) != 1 or call.keywords:
        raise NotPossible
    argument = call.args[0]
    wanted, got = out.treedef, given.treedef
    patch = Patch(program)
    source = program.source(argument)
    if (
        got.kind in ("tuple", "list")
        and len(got.children) == 1
        and mismatch(wanted, got.children[0]) is None
    ):
        if isinstance(argument, (ast.Tuple, ast.List)):
            patch.replace(argument, program.source(argument.elts[0]))
        elif isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            patch.insert(program.span(argument).end, "[0]")
        else:
            raise NotPossible
        return patch.fix("Take the cotangent out of its container", "safe", preferred=True)
    alike = len(wanted.children) == len(got.children) and all(
        mismatch(a, b) is None for a, b in zip(wanted.children, got.children, strict=True)
    )
    if not alike or {wanted.kind, got.kind} != {"tuple", "list"}:
        raise NotPossible
    if isinstance(argument, (ast.Tuple, ast.List)):
        items = ", ".join(program.source(item) for item in argument.elts)
        if wanted.kind == "list":
            patch.replace(argument, f"[{items}]")
        else:
            patch.replace(argument, f"({items},)" if len(argument.elts) == 1 else f"({items})")
    else:
        patch.replace(argument, f"{wanted.kind}({source})")
    return patch.fix(f"Make the cotangent a {wanted.kind}", "safe", preferred=True)


def right_number(program: Program, finding: Finding) -> Fix:
    """`1.0` for the cotangent `1` of a scalar; a cast for another dtype."""
    fact, call = _call(program, finding)
    out, given = fact.vjp.out, fact.cotangent
    if out is None or given is None or out.treedef.kind != "leaf" or given.treedef.kind != "leaf":
        raise NotPossible
    if len(call.args) != 1 or call.keywords:
        raise NotPossible
    value, got = out.leaves[0].value, given.leaves[0].value
    argument = call.args[0]
    if not isinstance(value, Array) or value.dtype is None or isinstance(argument, ast.Starred):
        raise NotPossible
    patch = Patch(program)
    if isinstance(argument, ast.Constant) and isinstance(argument.value, (int, bool)):
        if value.shape != () or value.dtype != "float32":
            raise NotPossible
        number = repr(float(argument.value))
        patch.replace(argument, number)
        return patch.fix(f"Give `{number}`", "safe", preferred=True)
    if not isinstance(got, Array) or got.shape != value.shape or got.origin != "jax":
        raise NotPossible
    dtype = patch.jax(f"jax.numpy.{value.dtype}", call)
    source = program.source(argument)
    atom = isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    patch.replace(argument, f"{source if atom else f'({source})'}.astype({dtype})")
    return patch.fix(f"Cast the cotangent to `{value.dtype}`", "safe", preferred=True)


def _call(program: Program, finding: Finding) -> tuple[VjpApplied, ast.Call]:
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, VjpApplied) or not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    check_bindable(program, fact.vjp)
    return fact, node


REMEDIES = {"cotangent-structure": (as_one, other_container, right_number, zero_for_none, fill)}
