"""What a program is about: VJPs, jitted steps, gradients, maps, loops, classes, plain use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from generator import bodies
from generator.bodies import entering, expression, floats, statements
from generator.draft import GRAD, JIT, LOOP, VMAP, Arr, Draft, Ref, Scope
from generator.pool import Tree, make_array, make_ref, make_tree, written

Scene = Callable[[Draft, Scope], None]


# -- jax.vjp ---------------------------------------------------------------------------------------


def vjp(d: Draft, scope: Scope) -> None:
    """A function is differentiated with `jax.vjp`, bound and applied."""
    primals = _primals(d, scope)
    taken = {leaf.text for tree in primals for leaf in tree.leaves()}
    taken |= {tree.text for tree in primals}
    inner = entering(scope, GRAD)
    inner.refs = [r for r in inner.refs if r.text not in taken and not _part_of(r.text, taken)]
    inner.groups = [g for g in inner.groups if g.text not in taken and not _part_of(g.text, taken)]
    inner.arrays = [a for a in inner.arrays if d.chance(0.3)]
    parameters = [d.fresh(stem) for stem, _ in zip("abcd", primals, strict=False)]
    own = [tree.at(name) for tree, name in zip(primals, parameters, strict=True)]
    for tree in own:
        group = tree.group()
        if group is not None:
            inner.groups.append(group)
        for leaf in tree.leaves():
            if isinstance(leaf, Ref):
                leaf.uses.kinds.clear()
                inner.refs.append(replace(leaf, tainted=True))
            else:
                inner.arrays.append(leaf)
    function, out = _differentiated(d, inner, parameters)
    aux = out == "aux"
    value, pull = d.fresh("out"), d.fresh("f_vjp")
    given = ", ".join(tree.text for tree in primals)
    if d.chance(0.15):
        row = d.fresh("primals")
        d.say(f"{row} = ({given},)")
        given = f"*{row}"
    arguments = f"{function}, {given}"
    rest = ", has_aux=True" if aux else ""
    targets = f"{value}, {pull}, extra" if aux else f"{value}, {pull}"
    d.say(f"{targets} = jax.vjp({arguments}{rest})")
    _pull_back(d, scope, primals, own, value, pull, "scalar" if aux else out)


def _part_of(text: str, taken: set[str]) -> bool:
    return any(text.startswith((f"{name}[", f"{name}.")) for name in taken)


def _primals(d: Draft, scope: Scope) -> list[Tree]:
    found: list[Tree] = []
    if scope.under:
        # In a function: what it was given.
        leaves = d.random.sample(
            [*scope.refs, *scope.arrays], min(2, len(scope.refs) + len(scope.arrays))
        )
        return [Tree(leaf.text, "leaf", leaf) for leaf in leaves]
    for _ in range(d.pick([1, 1, 2, 2, 3])):
        kind = d.random.random()
        if kind < 0.3:
            leaf: Arr | Ref = make_array(d, scope)
        elif kind < 0.62:
            leaf = make_ref(d, scope)
        elif kind < 0.67:
            leaf = make_ref(d, scope, (), "int32")
        else:
            found.append(make_tree(d, scope, d.chance(0.8)))
            continue
        found.append(Tree(leaf.text, "leaf", leaf))
    return found


def _differentiated(d: Draft, inner: Scope, parameters: list[str]) -> tuple[str, str]:
    """The differentiated function: its expression, and what it returns."""
    if d.chance(0.12):
        for ref in floats(inner):
            bodies.note(inner, ref, "read")
        terms = [f"jnp.sum({r.text}[...])" for r in floats(inner)] + [
            f"jnp.sum({a.text})" for a in inner.arrays
        ]
        if floats(inner) and d.slip("ref as an array"):
            terms[0] = f"jnp.sum({floats(inner)[0].text})"
        name = d.fresh("f")
        d.say(f"{name} = lambda {', '.join(parameters)}: {' * '.join(terms) or '1.0'}")
        return name, "scalar"
    name = d.fresh(d.pick(["f", "loss", "apply"]))
    style = d.random.random()
    extra, how = parameters, name
    if style < 0.12:
        extra, how = ["scale", *parameters], f"functools.partial({name}, 2.0)"
        inner.arrays.append(Arr("scale", (), "python"))
        d.imports.add("import functools")
    elif style < 0.24:
        how = f"jax.jit({name})"
        inner = Scope(inner.arrays, inner.refs, (*inner.under, JIT), 1, inner.groups)
    elif style < 0.28:
        if not floats(inner) or d.slip("checkpoint of refs"):
            how = f"jax.checkpoint({name})"
    out = d.pick(["scalar", "scalar", "scalar", "vector", "tuple", "dict", "aux"])
    with d.block(f"def {name}({', '.join(extra)}):"):
        statements(d, inner, d.pick([1, 2, 3, 3, 4]))
        one = expression(d, inner, (), 2)
        if floats(inner) and d.chance(0.5):
            ref = d.pick(floats(inner))
            bodies.note(inner, ref, "read")
            one = f"{one} + jnp.sum({ref.text}[...])"
        vector = expression(d, inner, (3,), 2)
        d.say(
            {
                "scalar": f"return {one}",
                "vector": f"return {vector}",
                "tuple": f"return {one}, {vector}",
                "dict": f"return {{'loss': {one}, 'rows': {vector}}}",
                "aux": f"return {one}, {vector}",
            }[out]
        )
    return how, out


def _pull_back(
    d: Draft, scope: Scope, primals: list[Tree], own: list[Tree], value: str, pull: str, out: str
) -> None:
    has_refs = any(isinstance(leaf, Ref) for tree in own for leaf in tree.leaves())
    if (not has_refs and d.chance(0.5)) or (has_refs and d.slip("unbound")):
        grads = d.fresh("grads")
        d.say(f"{grads} = {pull}({_cotangent(d, value, out)})")
        return
    texts: list[str] = []
    buffers: list[tuple[Ref, Arr | Ref]] = []
    returned: list[str] = []
    for tree, mine in zip(primals, own, strict=True):
        text = _entry(d, tree, mine, buffers, returned)
        texts.append(text)
    wrong = _wrong_structure(d, texts)
    entries = ", ".join(texts)
    if wrong is None and d.slip("keyword entries"):
        entries = f"grad={texts[0]}"
    if d.chance(0.15):
        row = d.fresh("entries")
        d.say(
            f"{row} = ({entries},)"
            if "=" not in entries.partition("(")[0]
            else f"{row} = ({texts[0]},)"
        )
        entries = f"*{row}"
    way = d.random.random()
    grads = d.fresh("grads")
    cotangent = _cotangent(d, value, out)
    whole = len(returned) == 0
    if way < 0.45:
        bound = d.fresh("bound")
        d.say(f"{bound} = {pull}.with_refs({entries})")
        if d.slip("bound twice"):
            d.say(f"{bound} = {bound}.with_refs({entries})")
        d.say(f"{grads} = {bound}({cotangent})")
        if whole and d.chance(0.25):
            d.say(f"{bound}({cotangent})")
    elif way < 0.75:
        d.say(f"{grads} = {pull}.with_refs({entries})({cotangent})")
    elif way < 0.85:
        helper = d.need(
            "backward",
            "def backward(pull, entries, ct):",
            "    return pull.with_refs(*entries)(ct)",
        )
        listed = entries if entries.startswith("*") else f"{entries},"
        if "grad=" in listed:
            listed = f"{texts[0]},"
        d.say(
            f"{grads} = {helper}({pull}, ({listed.rstrip() if not listed.startswith('*') else listed + ','}), {cotangent})"
        )
    elif way < 0.93:
        with d.block(f"for _ in range({d.pick([1, 2])}):"):
            d.say(f"{grads} = {pull}.with_refs({entries})({cotangent})")
    else:
        bound = d.fresh("bound")
        d.say(f"{bound} = {pull}.with_refs({entries})")
        d.say(f"{grads} = jax.jit(lambda ct: {bound}(ct))({cotangent})")
    _afterwards(d, buffers, grads, primals)


def _entry(
    d: Draft, tree: Tree, mine: Tree, buffers: list[tuple[Ref, Arr | Ref]], returned: list[str]
) -> str:
    if tree.leaf is None:
        leaves = tree.leaves()
        if all(isinstance(leaf, Ref) for leaf in leaves) and d.chance(0.3):
            name = d.fresh("g")
            d.say(f"{name} = jax.tree.map(lambda r: jax.new_ref(jnp.zeros_like(r)), {tree.text})")
            return name
        if d.slip("one leaf for a container"):
            return d.pick(
                [f"jax.new_ref(jnp.zeros({leaves[0].shape}))", "jax.ad.GradValue()", "None"]
            )
        mines = dict(mine.parts)
        parts = [(key, _entry(d, part, mines[key], buffers, returned)) for key, part in tree.parts]
        kind = tree.kind
        if d.slip("another container"):
            kind = "list" if kind != "list" else "tuple"
        return written(kind, tree.label, parts)
    leaf, inside = tree.leaf, mine.leaf
    assert leaf is not None and inside is not None
    if isinstance(leaf, Arr):
        way = d.random.random()
        if way < 0.5:
            returned.append("value")
            return "jax.ad.GradValue()"
        if way < 0.65:
            return "jax.ad.DontWant()"
        return _buffer(d, leaf, buffers)
    assert isinstance(inside, Ref)
    kinds = inside.uses.kinds
    if d.slip("value for a ref"):
        return d.pick(
            [
                "jax.ad.GradValue()",
                f"jnp.zeros({leaf.shape})",
                "0.0",
                "True",
                "jax.ad.GradValue",
                "jax.ad.DontWant",
            ]
        )
    if leaf.dtype == "int32":
        if "write" in kinds and not d.slip("gradient of a written counter"):
            return "jax.ad.DontWant()"
        return d.pick(["jax.ad.DontWant()", "jax.new_ref(0)"])
    skippable = not any(
        kind.split(" ")[0] in ("write", "index") or kind.endswith(LOOP) for kind in kinds
    )
    if (skippable and d.chance(0.3)) or (not skippable and d.slip("not wanted, but used so")):
        return "jax.ad.DontWant()"
    return _buffer(d, leaf, buffers)


def _buffer(d: Draft, leaf: Arr | Ref, buffers: list[tuple[Ref, Arr | Ref]]) -> str:
    shape, dtype = leaf.shape, ""
    if d.slip("gradient ref of another shape"):
        shape = (*shape, 1) if d.chance(0.5) else (5,)
    elif d.slip("gradient ref of another dtype"):
        dtype = d.pick([", jnp.bfloat16", ", jnp.int32"])
    source = f"jax.new_ref(jnp.zeros({shape}{dtype}))"
    if shape == leaf.shape and not dtype and d.chance(0.6):
        source = f"jax.new_ref(jnp.zeros_like({leaf.text}))"
    if d.chance(0.5):
        return source
    name = d.fresh(d.pick(["g", "grad_ref", "acc"]))
    d.say(f"{name} = {source}")
    buffers.append((Ref(name, shape), leaf))
    return name


def _wrong_structure(d: Draft, texts: list[str]) -> str | None:
    if len(texts) > 1 and d.slip("entry missing"):
        texts.pop()
        return "missing"
    if d.slip("entry too many"):
        texts.append(d.pick(["jax.ad.GradValue()", "jax.new_ref(0.0)", "None"]))
        return "extra"
    if d.slip("entries in one tuple"):
        texts[:] = [f"({', '.join(texts)},)"]
        return "tuple"
    if d.slip("None for an entry"):
        texts[d.random.randrange(len(texts))] = "None"
        return "none"
    return None


def _cotangent(d: Draft, value: str, out: str) -> str:
    if out == "scalar":
        if d.slip("cotangent of another shape"):
            return d.pick(["jnp.ones((3,))", "jnp.ones((1,))", "jnp.ones((2, 3))"])
        if d.slip("cotangent of another dtype"):
            return d.pick(["1", "jnp.ones((), jnp.bfloat16)", "True"])
        if d.slip("cotangent of another structure"):
            return d.pick(["(1.0,)", "[1.0]", "None", "{'loss': 1.0}", "1.0, 1.0"])
        return d.pick(
            ["1.0", "1.0", "jnp.ones(())", f"jnp.ones_like({value})", "jnp.float32(1.0)", "0.5"]
        )
    if out == "vector":
        if d.slip("cotangent of another shape"):
            return d.pick(
                ["jnp.ones((2,))", "1.0", "jnp.ones((3, 1))", f"jnp.ones_like({value}[:2])"]
            )
        if d.slip("cotangent of another dtype"):
            return d.pick(["jnp.arange(3)", "jnp.ones(3, jnp.bfloat16)"])
        if d.slip("cotangent of another structure"):
            return d.pick(["(jnp.ones(3),)", "[1.0, 1.0, 1.0]"])
        return d.pick(
            ["jnp.ones(3)", f"jnp.ones_like({value})", "jnp.array([1.0, 0.0, 0.0])", value]
        )
    if d.slip("cotangent of another structure"):
        return d.pick(["1.0", "1.0, jnp.ones(3)", "[1.0, jnp.ones(3)]", "(jnp.ones(3),)", "None"])
    if d.slip("cotangent of another shape"):
        return (
            "(1.0, jnp.ones(4))" if out == "tuple" else "{'loss': jnp.ones(3), 'rows': jnp.ones(3)}"
        )
    if d.chance(0.4):
        return d.pick([f"jax.tree.map(jnp.ones_like, {value})", value])
    return "(1.0, jnp.ones(3))" if out == "tuple" else "{'loss': 1.0, 'rows': jnp.ones(3)}"


def _afterwards(
    d: Draft, buffers: list[tuple[Ref, Arr | Ref]], grads: str, primals: list[Tree]
) -> None:
    if buffers and d.chance(0.6):
        name = d.fresh("total")
        ref, leaf = d.pick(buffers)
        forms = [f"{name} = {ref.text}[...] * 2.0", f"{name} = jax.freeze({ref.text})"]
        if isinstance(leaf, Ref):
            forms += [f"{leaf.text}[...] -= 0.1 * {ref.text}[...]"] * 2
            if d.slip("ref as an array"):
                forms = [f"{leaf.text}[...] -= 0.1 * {ref.text}"]
        d.say(d.pick(forms))
    singles = [t.leaf for t in primals if isinstance(t.leaf, Ref)]
    if len(primals) == len(singles) and buffers and d.slip("placeholder as a gradient"):
        d.say(
            d.pick(
                [
                    f"size = jnp.sum({grads}[0])",
                    f"step = 0.1 * {grads}[0]",
                    f"shape = {grads}[0].shape",
                ]
            )
        )


# -- other scenes ------------------------------------------------------------------------------------


def _surroundings(d: Draft, scope: Scope) -> None:
    make_array(d, scope)
    for _ in range(d.pick([1, 1, 2])):
        make_ref(d, scope)
    if d.chance(0.3):
        make_tree(d, scope)
    if d.chance(0.2):
        make_ref(d, scope, (), "int32")
    if d.chance(0.1):
        make_ref(d, scope, (), "key")


def plain(d: Draft, scope: Scope) -> None:
    """Eager statements."""
    _surroundings(d, scope)
    statements(d, scope, d.pick([3, 4, 5]))


def transformed(d: Draft, scope: Scope) -> None:
    """Functions under transforms, called at module level."""
    _surroundings(d, scope)
    for _ in range(d.pick([1, 1, 2])):
        bodies.nested(d, scope)
    statements(d, scope, 1)


def step(d: Draft, scope: Scope) -> None:
    """A jitted training step that takes refs, by decorator."""
    x = make_array(d, scope)
    refs = [make_ref(d, scope) for _ in range(d.pick([1, 2]))]
    inner = entering(scope, JIT)
    names = [d.fresh("p") for _ in refs]
    a = d.fresh("a")
    if not d.slip("passed and closed over"):
        inner.refs = [r for r in inner.refs if r.text not in {ref.text for ref in refs}]
    inner.refs += [replace(ref, text=name) for ref, name in zip(refs, names, strict=True)]
    inner.arrays = [Arr(a, x.shape)]
    name = d.fresh("step")
    with_optional = d.chance(0.3)
    d.say("@jax.jit")
    with d.block(f"def {name}({', '.join([*names, a])}{', flag=None' if with_optional else ''}):"):
        statements(d, inner, d.pick([2, 3, 4]))
        if d.slip("ref returned from jit"):
            d.say(f"return {d.pick([names[0], f'({a}, {names[0]})'])}")
        elif d.slip("frozen in another scope"):
            d.say(f"return jax.freeze({names[0]})")
        else:
            d.say(f"return {expression(d, inner, (), 1)}")
    arguments = [ref.text for ref in refs]
    if len(refs) == 2 and refs[0].shape == refs[1].shape and d.slip("passed twice"):
        arguments[1] = arguments[0]
    call = f"{name}({', '.join([*arguments, x.text])})"
    if d.chance(0.4):
        with d.block("for _ in range(2):"):
            d.say(f"result = {call}")
    else:
        d.say(f"result = {call}")


def model(d: Draft, scope: Scope) -> None:
    """A class that holds refs, and its methods under `vjp`, `grad` or `jit`."""
    x = make_array(d, scope)
    shape = d.pick([(3,), (), (2, 2)])
    name = d.fresh("Model")
    with d.block(f"class {name}:"):
        with d.block("def __init__(self):"):
            d.say(f"self.w = jax.new_ref(jnp.ones({shape}))")
            d.say("self.seen = jax.new_ref(0.0)")
            d.say("self.calls = jax.new_ref(0)")
        d.say("")
        how = d.pick([GRAD, GRAD, JIT, VMAP, ""])
        inner = Scope(
            [], [Ref("self.w", shape), Ref("self.seen", ()), Ref("self.calls", (), "int32")]
        )
        inner = entering(inner, how) if how else inner
        rows = x.shape[1:] if how == VMAP and x.shape else x.shape
        inner.arrays.append(Arr("a", rows))
        with d.block("def loss(self, a):"):
            statements(d, inner, d.pick([2, 3, 4]))
            d.say(f"return {expression(d, inner, (), 2)}")
    d.say(f"model = {name}()")
    if how == GRAD:
        if d.chance(0.5):
            d.say(f"g = jax.grad(model.loss)({x.text})")
        else:
            d.say(f"out, f_vjp = jax.vjp(model.loss, {x.text})")
            d.say(f"g, = f_vjp({_cotangent(d, 'out', 'scalar')})")
    elif how == JIT:
        d.say(f"out = jax.jit(model.loss)({x.text})")
    elif how == VMAP and x.shape:
        d.say(f"out = jax.vmap(model.loss)({x.text})")
    else:
        d.say(f"out = model.loss({x.text})")


def stash(d: Draft, scope: Scope) -> None:
    """A gradient is stored into a ref by a `custom_vjp`."""
    x = make_array(d, scope)
    name = d.fresh("tap")
    place = make_ref(d, scope, x.shape)
    d.say("@jax.custom_vjp")
    with d.block(f"def {name}(value, place):"):
        d.say("return value")
    d.say("")
    with d.block(f"def {name}_fwd(value, place):"):
        if d.slip("forward rule returns a new ref"):
            d.say("return value, jax.new_ref(value)")
        else:
            d.say("return value, place")
    d.say("")
    with d.block(f"def {name}_bwd(place, ct):"):
        if d.slip("ref as an array"):
            d.say("return ct * place, None")
        else:
            d.say(
                d.pick(["place[...] = ct", "place[...] += ct", "jax.ref.addupdate(place, ..., ct)"])
            )
            d.say("return ct, None")
    d.say("")
    d.say(f"{name}.defvjp({name}_fwd, {name}_bwd)")
    inner = entering(scope, GRAD)
    inner.refs = [r for r in inner.refs if r.text != place.text]
    inner.arrays = [Arr("a", x.shape)]
    with d.block("def loss(a):"):
        statements(d, inner, d.pick([0, 1, 2]))
        tapped = d.fresh("tapped")
        d.say(f"{tapped} = {name}(a, {place.text})")
        inner.arrays.append(Arr(tapped, x.shape))
        d.say(f"return jnp.sum({tapped}) + {expression(d, inner, (), 1)}")
    call = d.pick(["jax.grad(loss)", "jax.jit(jax.grad(loss))", "jax.value_and_grad(loss)"])
    d.say(f"g = {call}({x.text})")
    d.say(f"seen = {place.text}[...]")


def trained(d: Draft, scope: Scope) -> None:
    """A jitted training step: `jax.vjp`, binding and applying inside of it."""
    x = make_array(d, scope)
    refs = [make_ref(d, scope) for _ in range(d.pick([1, 2]))]
    names = [d.fresh("p") for _ in refs]
    a = d.fresh("a")
    inner = Scope([Arr(a, x.shape)], [], (JIT,), 1)
    inner.refs += [replace(ref, text=name) for ref, name in zip(refs, names, strict=True)]
    name = d.fresh("train")
    jitted = d.chance(0.8)
    if jitted:
        d.say("@jax.jit")
    with d.block(f"def {name}({', '.join([*names, a])}):"):
        vjp(d, inner)
        if d.slip("ref returned from jit"):
            d.say(f"return {names[0]}")
        else:
            d.say(f"return {d.pick(['out', a, 'out, grads'])}")
    arguments = [ref.text for ref in refs]
    if len(refs) == 2 and refs[0].shape == refs[1].shape and d.slip("passed twice"):
        arguments[1] = arguments[0]
    with d.block("for _ in range(2):"):
        d.say(f"result = {name}({', '.join([*arguments, x.text])})")


def epochs(d: Draft, scope: Scope) -> None:
    """A VJP in a loop over epochs, with an update of the parameters."""
    w = make_ref(d, scope, d.pick([(3,), (2, 2)]))
    x = make_array(d, scope)
    inner = entering(scope, GRAD)
    inner.refs = [Ref("p", w.shape)]
    inner.arrays = [Arr("a", x.shape)]
    with d.block("def loss(p, a):"):
        statements(d, inner, d.pick([0, 1, 2]))
        d.say(f"return jnp.sum(p[...]) * {expression(d, inner, (), 1)}")
        bodies.note(inner, inner.refs[0], "read")
    outside = d.chance(0.5)
    make = f"g = jax.new_ref(jnp.zeros_like({w.text}))"
    if outside:
        d.say(make)
    with d.block(f"for epoch in range({d.pick([2, 3])}):"):
        if not outside:
            d.say(make)
        elif d.chance(0.7):
            d.say("g[...] = jnp.zeros_like(g)")
        d.say(f"out, f_vjp = jax.vjp(loss, {w.text}, {x.text})")
        entry = d.pick(["jax.ad.DontWant()", "jax.ad.GradValue()"])
        if d.slip("unbound"):
            d.say("grads = f_vjp(1.0)")
        elif d.slip("value for a ref"):
            d.say(f"grads = f_vjp.with_refs(jax.ad.GradValue(), {entry})(1.0)")
        else:
            d.say(f"grads = f_vjp.with_refs(g, {entry})({_cotangent(d, 'out', 'scalar')})")
        if d.slip("placeholder as a gradient"):
            d.say(f"{w.text}[...] -= 0.1 * grads[0]")
        elif d.slip("ref as an array"):
            d.say(f"{w.text}[...] -= 0.1 * g")
        else:
            d.say(
                d.pick(["{0}[...] -= 0.1 * g[...]", "{0}[...] = {0}[...] - g[...]"]).format(w.text)
            )


def through(d: Draft, scope: Scope) -> None:
    """A bound VJP is applied under a transform."""
    w = make_ref(d, scope, (3,))
    x = make_array(d, scope)
    inner = entering(scope, GRAD)
    inner.refs = [Ref("p", w.shape)]
    inner.arrays = [Arr("a", x.shape)]
    with d.block("def loss(p, a):"):
        statements(d, inner, d.pick([0, 1, 2]))
        d.say(f"return jnp.sum(p[...]) * {expression(d, inner, (), 1)}")
    d.say(f"out, f_vjp = jax.vjp(loss, {w.text}, {x.text})")
    d.say(f"g = jax.new_ref(jnp.zeros_like({w.text}))")
    d.say("bound = f_vjp.with_refs(g, jax.ad.DontWant())")
    how = d.random.randrange(6)
    if d.slip("bound VJP passed to jit"):
        d.say("jax.jit(lambda b, ct: b(ct))(bound, 1.0)")
    elif d.slip("bound VJP under vmap"):
        d.say("jax.vmap(bound)(jnp.ones(4))")
    elif d.slip("bound VJP returned from jit"):
        d.say(
            f"back = jax.jit(lambda v: jax.vjp(loss, {w.text}, v)[1].with_refs(g, jax.ad.DontWant()))({x.text})"
        )
    elif how == 0:
        d.say("jax.jit(bound)(1.0)")
    elif how == 1:
        with d.block("def back(carry, ct):"):
            d.say("bound(ct)")
            d.say("return carry, None")
        d.say("jax.lax.scan(back, 0.0, jnp.ones(3))")
    elif how == 2:
        d.say("jax.lax.fori_loop(0, 2, lambda i, c: (bound(c), c)[1], 1.0)")
    elif how == 3:
        d.say(
            f"jax.lax.cond(jnp.sum({x.text}) > 0, lambda ct: (bound(ct), ct)[1], lambda ct: ct, 1.0)"
        )
    elif how == 4:
        with d.block("for ct in (1.0, 2.0):"):
            d.say("bound(ct)")
    else:
        d.say("rest = [bound(ct) for ct in (1.0, 0.5)]")
    d.say("total = g[...]")


SCENES: list[tuple[int, Scene]] = [
    (8, vjp),
    (2, plain),
    (5, transformed),
    (2, step),
    (2, model),
    (1, stash),
    (3, trained),
    (2, epochs),
    (2, through),
]
