"""`jax.grad` and its kin with respect to a ref: by value, by `jax.vjp`, or without the ref."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxref.domain.trees import LEAF, TreeDef
from jaxref.domain.values import Array, Const, RefValue
from jaxref.facts import DerivativeTaken, Fact, PrimalLeaf, RefAccessed
from jaxref.fixes.binding import by_type, entries_for
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.model import Fix
from jaxref.fixes.names import fresh, last_part
from jaxref.fixes.primals import Primal, is_path, means_the_same
from jaxref.fixes.program import Program
from jaxref.fixes.results import Unpacked, is_read, use_of
from jaxref.quick_dataclasses import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


@dataclass(frozen=True, slots=True)
class Derivative:
    """`jax.grad(function, ...)(*arguments)`; the transform's call may stand elsewhere.

    `positions` are those of the arguments that are differentiated, `single` tells that `argnums` is
    one number, `plain` that the result is called as it is, not under `jit` or `vmap`.
    """

    fact: DerivativeTaken
    transform: ast.Call
    application: ast.Call
    positions: tuple[int, ...]
    single: bool
    only_use: bool
    plain: bool


def derivative_of(program: Program, fact: Fact) -> Derivative:
    """The derivative that is taken. Raises `NotPossible` where its parts are not plain to see."""
    node = fact.site.node
    if (
        not isinstance(fact, DerivativeTaken)
        or not isinstance(node, ast.Call)
        or not program.has(node)
    ):
        raise NotPossible
    transform = fact.transform_call
    if not isinstance(transform, ast.Call) or not program.has(transform) or not transform.args:
        raise NotPossible
    if last_part(transform.func) != fact.transform:
        raise NotPossible
    if any(isinstance(argument, ast.Starred) for argument in (*node.args, *transform.args)):
        raise NotPossible
    if any(keyword.arg is None for keyword in (*node.keywords, *transform.keywords)):
        raise NotPossible
    argnums: ast.expr | None = transform.args[1] if len(transform.args) > 1 else None
    for keyword in transform.keywords:
        if keyword.arg == "argnums":
            argnums = keyword.value
        elif keyword.arg not in ("has_aux", "allow_int"):
            raise NotPossible
    if len(transform.args) > 2:
        raise NotPossible
    single = True
    numbers: tuple[int, ...] = (0,)
    if argnums is not None:
        try:
            value = ast.literal_eval(argnums)
        except (ValueError, SyntaxError):
            raise NotPossible from None
        if isinstance(value, int):
            numbers = (value,)
        elif isinstance(value, (tuple, list)) and all(isinstance(one, int) for one in value):
            numbers, single = tuple(value), False
        else:
            raise NotPossible
    count = len(node.args)
    if any(not -count <= number < count for number in numbers):
        raise NotPossible
    outermost = _wrapped(program, transform)
    if not _leads_to(program, node.func, outermost):
        raise NotPossible
    for other in program.facts:
        # All functions that are differentiated there must be this one.
        if isinstance(other, DerivativeTaken) and other.site.node is node:
            if other.transform_call is not transform or _refs(other) != _refs(fact):
                raise NotPossible
    uses = [
        other.site.node
        for other in program.facts
        if isinstance(other, DerivativeTaken) and other.transform_call is transform
    ]
    only_use = all(use is node for use in uses) and (
        node.func is outermost or _read_once(program, outermost)
    )
    plain = outermost is transform
    positions = tuple(number % count for number in numbers)
    return Derivative(fact, transform, node, positions, single, only_use, plain)


def _wrapped(program: Program, transform: ast.Call) -> ast.Call:
    """The outermost of the `jit` and `vmap` calls around a transform."""
    parent = program.parents.get(transform)
    while isinstance(parent, ast.Call) and parent.args and parent.args[0] is transform:
        if last_part(parent.func) not in ("jit", "vmap"):
            break
        transform, parent = parent, program.parents.get(parent)
    return transform


def _refs(fact: DerivativeTaken) -> list[bool]:
    return [leaf.is_ref for leaf in fact.leaves]


def _leads_to(program: Program, function: ast.expr, transform: ast.Call) -> bool:
    """True when calling `function` calls the transformed function and nothing but it."""
    if function is transform:
        return True
    statement = program.parents.get(transform)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    if isinstance(target, ast.Name) and isinstance(function, ast.Name):
        binder = program.scope(function).binder(function.id)
        same = binder is not None and binder is program.scope(target).binder(target.id)
        return same and binder is not None and len(binder.bound[target.id]) == 1
    return is_path(function) and program.source(target) == program.source(function)


def _read_once(program: Program, transform: ast.Call) -> bool:
    statement = program.parents.get(transform)
    if not isinstance(statement, ast.Assign):
        return False
    text = program.source(statement.targets[0])
    reads = [
        node
        for node in program.parents
        if isinstance(node, (ast.Name, ast.Attribute))
        and isinstance(node.ctx, ast.Load)
        and program.source(node) == text
    ]
    return len(reads) == 1


def by_own_ref(program: Program, finding: Finding) -> Fix:
    """Differentiate with respect to the value, of which the function is given a ref of its own."""
    found = derivative_of(program, finding.fact)
    if not found.only_use or found.fact.transform == "hessian":
        # JAX cannot take forward derivatives of a function that makes refs of what it is given.
        raise NotPossible
    if any(
        (ref.dtype or "").startswith(("int", "uint", "bool"))
        for leaf in found.fact.leaves
        for ref, _ in leaf.refs
    ):
        raise NotPossible
    _check_unwritten(program, found)
    patch = Patch(program)
    function = found.transform.args[0]
    if isinstance(function, ast.Lambda):
        raise NotPossible
    new_ref = patch.jax("jax.new_ref", found.transform)
    taken = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} | {
        new_ref.partition(".")[0]
    }
    heads: list[str] = []
    arguments: list[str] = []
    described = []
    for index, argument in enumerate(found.application.args):
        name = _parameter(program, found, index, argument, taken | set(heads))
        heads.append(name)
        if index not in found.positions:
            arguments.append(name)
            continue
        leaves = _leaves_at(found, found.positions.index(index))
        if not any(leaf.is_ref for leaf in leaves):
            arguments.append(name)
            continue
        if not all(leaf.is_ref for leaf in leaves):
            raise NotPossible
        source = program.source(argument)
        if not isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            raise NotPossible
        if _treedef(leaves).kind == "leaf":
            arguments.append(f"{new_ref}({name})")
            patch.replace(argument, f"{source}[...]")
        else:
            tree_map = patch.jax("jax.tree.map", found.transform)
            if tree_map.partition(".")[0] in heads:
                raise NotPossible
            arguments.append(f"{tree_map}({new_ref}, {name})")
            here = patch.jax("jax.tree.map", found.application)
            patch.replace(argument, f"{here}(lambda ref: ref[...], {source})")
        described.append(program.words(argument))
    if not described or new_ref.partition(".")[0] in heads:
        raise NotPossible
    for keyword in found.application.keywords:
        assert keyword.arg is not None
        heads.append(keyword.arg)
        arguments.append(f"{keyword.arg}={keyword.arg}")
    if len(set(heads)) < len(heads) or (found.application.keywords and taken & set(heads)):
        raise NotPossible
    callee = program.source(function)
    if not isinstance(function, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        raise NotPossible
    patch.replace(function, f"lambda {', '.join(heads)}: {callee}({', '.join(arguments)})")
    words = described[0] if len(described) == 1 and len(described[0]) < 30 else "the refs"
    return patch.fix(f"Differentiate with respect to the value of `{words}`", "safe")


def _parameter(
    program: Program, found: Derivative, index: int, argument: ast.expr, taken: set[str]
) -> str:
    wanted = [argument.id] if isinstance(argument, ast.Name) else []
    if isinstance(argument, ast.Attribute):
        wanted.append(argument.attr.strip("_"))
    wanted += [f"x{index}", f"x_{index}", f"arg{index}"]
    del program, found
    name = next((one for one in wanted if one and one.isidentifier() and one not in taken), None)
    if name is None:
        raise NotPossible
    return name


def _leaves_at(found: Derivative, position: int) -> list[PrimalLeaf]:
    return [leaf for leaf in found.fact.leaves if leaf.position == position]


def _treedef(leaves: Sequence[PrimalLeaf]) -> TreeDef:
    """A structure with these leaves: a single leaf, or some tree. Raises `NotPossible` for unknown ones."""
    if any(not leaf.is_ref and not isinstance(leaf.value, (Array, Const)) for leaf in leaves):
        raise NotPossible
    if len(leaves) == 1 and leaves[0].path == f"args[{leaves[0].position}]":
        return LEAF
    return TreeDef("tree", (LEAF,) * len(leaves))


def _check_unwritten(program: Program, found: Derivative) -> None:
    """The function must not write the refs: what it wrote into its own would be lost."""
    ids = {ref.id for leaf in found.fact.leaves for ref, _ in leaf.refs}
    for leaf in found.fact.leaves:
        if leaf.written:
            raise NotPossible
    place = found.fact.site.place
    for other in program.facts:
        if isinstance(other, RefAccessed) and other.ref.id in ids and other.action != "read":
            if any(trace.place == place for trace in other.site.traces):
                raise NotPossible


def by_vjp(program: Program, finding: Finding) -> Fix:
    """The gradient by `jax.vjp` and a gradient ref, in lines before the statement."""
    patch = Patch(program)
    write_vjp(patch, derivative_of(program, finding.fact))
    return patch.fix("Take the gradient with `jax.vjp` and a gradient ref", "safe", preferred=True)


def write_vjp(patch: Patch, found: Derivative, also: Sequence[ast.expr] = ()) -> None:
    """Write `jax.vjp` and `with_refs` for `jax.grad` or `jax.value_and_grad`.

    `also` are refs that are differentiated, too, without their gradients being asked for: arguments of the
    application, or names that the function takes as further arguments.
    """
    program, fact = patch.program, found.fact
    if program.before(0, 11) or fact.transform not in ("grad", "value_and_grad"):
        raise NotPossible
    if any(trace.kind == "vmap" for trace in fact.site.traces):
        raise NotPossible
    if not found.plain:
        raise NotPossible
    application, function = found.application, found.transform.args[0]
    host = can_precede(program, application)
    if found.transform is not application.func and not means_the_same(
        program, function, host, program.span(host).start
    ):
        raise NotPossible
    has_aux = any(
        keyword.arg == "has_aux"
        and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
        for keyword in found.transform.keywords
    )
    if application.keywords:
        raise NotPossible
    asked = len(found.positions)
    primals: list[Primal] = []
    for number, index in enumerate(found.positions):
        argument = application.args[index]
        leaves = tuple(_leaves_at(found, number))
        primals.append(Primal(argument, number, 1, False, leaves, (_treedef(leaves),)))
    for node in also:
        leaf = PrimalLeaf("", "", len(primals), RefValue(0), written=True)
        primals.append(Primal(node, len(primals), 1, False, (leaf,), (LEAF,)))
    passed = tuple(application.args.index(node) for node in also if node in application.args)
    added = [program.source(node) for node in also if node not in application.args]
    found = replace(found, positions=(*found.positions, *passed))
    entries = entries_for(
        patch, primals, host, plan=lambda leaf: "ref" if leaf.written else by_type(leaf)
    )
    scope = program.function_scope(host)
    names = {line.split(" = ")[0] for line in entries.statements}
    use = use_of(program, application)
    pair = (
        use
        if isinstance(use, Unpacked)
        and fact.transform == "value_and_grad"
        and not has_aux
        and len(use.targets) == 2
        and isinstance(use.targets[0], ast.Name)
        else None
    )
    value = program.source(pair.targets[0]) if pair else fresh("value", scope, names)
    f_vjp = fresh("f_vjp", scope, names)
    aux = fresh("aux", scope, names)
    call = _vjp_call(patch, found, function, has_aux, host, added)
    patch.before(host, f"{value}, {f_vjp}{f', {aux}' if has_aux else ''} = {call}")
    for line in entries.statements:
        patch.before(host, line)
    ones = f"{patch.jax('jax.numpy.ones_like', host)}({value})"
    applied = f"{f_vjp}.with_refs({', '.join(entries.texts)})({ones})"
    returned = any(g.accumulated is None or "\0" in g.accumulated for g in entries.gradients)
    grads = ""
    if returned:
        grads = fresh("grads", scope, names)
        applied = f"{grads} = {applied}"
    patch.before(host, applied)
    reads = [gradient.read(grads) for gradient in entries.gradients[:asked]]
    result = reads[0] if found.single else f"({', '.join(reads)}{',' if len(reads) == 1 else ''})"
    if pair is not None:
        target = pair.targets[1]
        inner = program.source(target)
        patch.replace(pair.display, inner)
    elif fact.transform == "value_and_grad":
        result = f"({f'({value}, {aux})' if has_aux else value}, {result})"
    elif has_aux:
        result = f"({result}, {aux})"
    patch.replace(application, result)


def _vjp_call(
    patch: Patch,
    found: Derivative,
    function: ast.expr,
    has_aux: bool,
    host: ast.stmt,
    also: Sequence[str],
) -> str:
    program = patch.program
    arguments = found.application.args
    chosen = [program.source(arguments[index]) for index in found.positions]
    callee = program.source(function)
    if isinstance(function, ast.Lambda):
        callee = f"({callee})" if len(arguments) != len(chosen) else callee
    if len(arguments) == len(chosen) and list(found.positions) == sorted(found.positions):
        target = callee
    else:
        taken = {
            n.id for one in (function, *arguments) for n in ast.walk(one) if isinstance(n, ast.Name)
        }
        heads: list[str] = []
        texts = [program.source(argument) for argument in arguments]
        for index in found.positions:
            argument = arguments[index]
            others = {
                n.id
                for i, one in enumerate(arguments)
                if i != index
                for n in ast.walk(one)
                if isinstance(n, ast.Name)
            } | {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
            if isinstance(argument, ast.Name) and argument.id not in others | set(heads):
                name = argument.id
            else:
                name = next(
                    one
                    for one in ("p", "q", f"p{index}", f"p_{index}")
                    if one not in taken | set(heads)
                )
            heads.append(name)
            texts[index] = name
        if set(also) & (taken | set(heads)):
            raise NotPossible
        heads += also
        texts += also
        target = f"lambda {', '.join(heads)}: {callee}({', '.join(texts)})"
    aux = ", has_aux=True" if has_aux else ""
    return f"{patch.jax('jax.vjp', host)}({', '.join([target, *chosen, *also])}{aux})"


def leave_out(program: Program, finding: Finding) -> Fix:
    """`argnums` without the refs, where other arguments are differentiated, too."""
    found = derivative_of(program, finding.fact)
    if found.single or not found.only_use:
        raise NotPossible
    kept = [
        number
        for number in range(len(found.positions))
        if not any(leaf.is_ref for leaf in _leaves_at(found, number))
    ]
    if not kept or len(kept) == len(found.positions):
        raise NotPossible
    _check_unwritten(program, found)
    patch = Patch(program)
    argnums = next(
        (keyword.value for keyword in found.transform.keywords if keyword.arg == "argnums"),
        found.transform.args[1] if len(found.transform.args) > 1 else None,
    )
    if not isinstance(argnums, (ast.Tuple, ast.List)):
        raise NotPossible
    texts = [program.source(argnums.elts[number]) for number in kept]
    patch.replace(argnums, f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})")
    targets = _gradient_targets(program, found)
    if len(targets.elts) != len(found.positions):
        raise NotPossible
    for number, target in enumerate(targets.elts):
        if isinstance(target, ast.Starred) or (number not in kept and is_read(program, target)):
            raise NotPossible
    left = [program.source(targets.elts[number]) for number in kept]
    inner = f"({left[0]},)" if len(left) == 1 else f"({', '.join(left)})"
    parent = program.parents.get(targets)
    if isinstance(parent, ast.Assign) and len(left) > 1:
        inner = inner[1:-1]
    patch.replace(targets, inner)
    return patch.fix("Leave the ref out of `argnums`", "safe")


def _gradient_targets(program: Program, found: Derivative) -> ast.Tuple | ast.List:
    use = use_of(program, found.application)
    if not isinstance(use, Unpacked):
        raise NotPossible
    display: ast.expr = use.display
    has_aux = any(keyword.arg == "has_aux" for keyword in found.transform.keywords)
    if found.fact.transform == "value_and_grad":
        display = use.targets[-1]
    elif has_aux:
        display = use.targets[0]
    if not isinstance(display, (ast.Tuple, ast.List)):
        raise NotPossible
    return display


REMEDIES = {"grad-of-ref": (by_vjp, leave_out)}
