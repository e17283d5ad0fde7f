"""Expressions and statements: what stands in the functions of a generated program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from generator.draft import COND, GRAD, JIT, LOOP, REMAT, VMAP, Arr, Draft, Ref, Scope, Shape

UNARY = ("jnp.sin({})", "jnp.tanh({})", "2.0 * {}", "{} + 0.5", "-{}", "jnp.exp(-{})", "{} ** 2")
BINARY = ("{} * {}", "{} + {}", "{} - {}", "jnp.maximum({}, {})", "jnp.where({} > 0, {}, 0.0)")


def constant(d: Draft, shape: Shape) -> str:
    """An array of float32 that depends on nothing."""
    size = str(shape) if len(shape) != 1 else d.pick([str(shape), str(shape[0])])
    options = [f"jnp.ones({size})", f"jnp.full({size}, 0.5)", f"jnp.zeros({size})"]
    if len(shape) == 1:
        options += [f"jnp.arange({shape[0]}.0)", f"jnp.linspace(0.0, 1.0, {shape[0]})"]
        options += [f"jnp.array({[float(n + 1) for n in range(shape[0])]})"]
    if len(shape) == 2:
        options += [
            f"jnp.arange({shape[0] * shape[1]}.0).reshape{shape}",
            f"jnp.eye({shape[0]}, {shape[1]})",
        ]
    if shape == ():
        options = ["jnp.float32(0.5)", "jnp.zeros(())", "jnp.ones(())", "jnp.array(2.0)"]
    return d.pick(options)


def expression(d: Draft, scope: Scope, shape: Shape, depth: int = 2) -> str:
    """An expression for a float32 array of this shape, of the arrays in sight where there are some."""
    same = [a for a in scope.arrays if a.shape == shape and a.dtype == "float32"]
    floats = [a for a in scope.arrays if a.dtype == "float32"]
    if depth <= 0 or d.chance(0.25):
        return d.pick(same).text if same else _from_other_shapes(d, floats, shape)
    choice = d.random.randrange(5)
    if choice < 2:
        return d.pick(UNARY).format(_operand(expression(d, scope, shape, depth - 1)))
    if choice == 2:
        left = _operand(expression(d, scope, shape, depth - 1))
        right = _operand(expression(d, scope, d.pick([shape, shape, ()]), depth - 2))
        return d.pick(BINARY).format(left, right)
    if choice == 3 and floats:
        return _from_other_shapes(d, floats, shape)
    return d.pick(same).text if same else _from_other_shapes(d, floats, shape)


def _operand(text: str) -> str:
    return (
        text
        if text.replace("_", "").replace(".", "").isalnum()
        or (text.endswith(")") and (text.startswith("jnp.") and text.count(" ") == 0))
        else f"({text})"
    )


def _from_other_shapes(d: Draft, floats: list[Arr], shape: Shape) -> str:
    """An array of this shape made from one of another."""
    if not floats:
        return constant(d, shape)
    source = d.pick(floats)
    if shape == ():
        if source.shape == ():
            return source.text
        return d.pick(["jnp.sum({})", "jnp.mean({})", "{}.sum()", "jnp.max({})"]).format(
            source.text
        )
    if source.shape[1:] == shape:
        return f"{source.text}[{d.random.randrange(source.shape[0])}]"
    if source.shape == shape:
        return source.text
    return f"{constant(d, shape)} * {d.pick(['jnp.sum({})', 'jnp.mean({})']).format(source.text)}"


# -- refs ------------------------------------------------------------------------------------------


def note(scope: Scope, ref: Ref, kind: str) -> None:
    """Remember what was done to a ref, and where."""
    ref.uses.kinds.add(kind)
    for transform in scope.under:
        ref.uses.kinds.add(f"{kind} in {transform}")


def floats(scope: Scope) -> list[Ref]:
    return [r for r in scope.refs if r.dtype == "float32"]


def read(d: Draft, scope: Scope) -> None:
    """`v = r[...]` and the like."""
    refs = floats(scope)
    if not refs:
        return compute(d, scope)
    ref = d.pick(refs)
    name = d.fresh("v")
    if ref.shape and d.chance(0.35):
        index, shape = _part(d, ref.shape)
        if d.slip("index out of bounds"):
            index = str(ref.shape[0] + 1)
        elif d.slip("list for an index"):
            index, shape = "[0, 1]", (2, *ref.shape[1:])
        note(scope, ref, "index")
        d.say(f"{name} = {ref.text}[{index}]")
        scope.arrays.append(Arr(name, shape))
        return
    note(scope, ref, "read")
    forms = ["{0}[...]", "{0}[...]", "{0}[...]", "{0}[()]", "jax.ref.get({0})", "peek({0})"]
    form = d.pick(forms)
    if form.startswith("peek"):
        d.need("peek", "def peek(ref):", "    return ref[...]")
    d.say(f"{name} = {form.format(ref.text)}")
    scope.arrays.append(Arr(name, ref.shape))


def _part(d: Draft, shape: Shape) -> tuple[str, Shape]:
    size = shape[0]
    options: list[tuple[str, Shape]] = [
        (str(d.random.randrange(size)), shape[1:]),
        ("-1", shape[1:]),
        ("1:", (size - 1, *shape[1:])),
        (":", shape),
    ]
    if len(shape) == 2:
        options += [
            (f":, {d.random.randrange(shape[1])}", (shape[0],)),
            ("0, ...", shape[1:]),
            ("1, 0", ()),
        ]
    return d.pick(options)


def store(d: Draft, scope: Scope) -> None:
    """`r[...] = value` and the like, of what may be stored there."""
    refs = [r for r in scope.refs if r.writable]
    if not refs:
        locked = floats(scope)
        if locked and d.slip("write of a ref that is not mapped over"):
            ref = d.pick(locked)
            d.say(f"{ref.text}[...] = {ref.text}[...] + 1.0")
            return
        return read(d, scope)
    ref = d.pick(refs)
    if ref.dtype == "key":
        note(scope, ref, "write")
        key, sub, noise = d.fresh("key"), d.fresh("sub"), d.fresh("noise")
        held = ref.text if d.slip("ref as a key") else f"{ref.text}[...]"
        d.say(f"{key}, {sub} = jax.random.split({held})")
        d.say(f"{ref.text}[...] = {key}")
        d.say(f"{noise} = jax.random.normal({sub}, (3,))")
        scope.arrays.append(Arr(noise, (3,)))
        return
    if ref.dtype == "int32":
        note(scope, ref, "write")
        if d.slip("fraction into a counter"):
            d.say(f"{ref.text}[...] += 0.5")
        else:
            d.say(
                d.pick(
                    ["{}[...] += 1", "{}[...] = {}[...] + 1", "jax.ref.addupdate({}, ..., 1)"]
                ).replace("{}", ref.text)
            )
        return
    shape, index = ref.shape, "..."
    if ref.shape and d.chance(0.3):
        index, shape = _part(d, ref.shape)
    value = expression(d, scope, shape, 1)
    if d.slip("store of another shape"):
        value = f"jnp.ones({(*shape, 2)})" if d.chance(0.5) or not shape else "0.0"
    elif d.slip("store of another dtype"):
        value = (
            f"jnp.zeros({shape}, jnp.int32)" if d.chance(0.5) else f"({value}).astype(jnp.bfloat16)"
        )
    elif d.slip("store of a ref"):
        value = d.pick(floats(scope)).text
    elif GRAD in scope.under and not ref.tainted:
        if d.slip("tainted store"):
            pass
        elif d.chance(0.8):
            value = f"jax.lax.stop_gradient({value})"
        else:
            value = constant(d, shape)
    note(scope, ref, "write")
    forms = ["{r}[{i}] = {v}"] * 4 + ["{r}[{i}] += {v}"] * 4 + ["jax.ref.set({r}, {j}, {v})"]
    forms += [
        "jax.ref.addupdate({r}, {j}, {v})",
        "old = jax.ref.swap({r}, {j}, {v})",
        "bump({r}, {v})",
    ]
    form = d.pick(forms)
    if form.startswith("bump"):
        if index != "...":
            form = forms[0]
        else:
            d.need("bump", "def bump(ref, by):", "    ref[...] = ref[...] + by")
    place = index if index == "..." or index.lstrip("-").isdigit() else None
    if place is None and "{j}" in form:
        form = forms[0]
    d.say(form.format(r=ref.text, i=index, j=place, v=value))


def compute(d: Draft, scope: Scope) -> None:
    """`h = expression`."""
    refs = floats(scope)
    name = d.fresh("h")
    if refs and d.slip("ref as an array"):
        ref = d.pick(refs)
        form = d.pick(
            ["{} * 2.0", "jnp.sin({})", "-{}", "{}.sum()", "{} + 1.0", "1.0 - {}", "jnp.sum({})", "{} @ {}",
             "jax.nn.relu({})", "jnp.stack([{}, {}])", "jnp.where({} > 0, 1.0, 0.0)", "{}.astype(jnp.bfloat16)"]
        )  # fmt: skip
        d.say(f"{name} = {form.replace('{}', ref.text)}")
        scope.arrays.append(Arr(name, ref.shape))
        return
    shape = d.pick([a.shape for a in scope.arrays] or [(3,)])
    d.say(f"{name} = {expression(d, scope, shape)}")
    scope.arrays.append(Arr(name, shape))


def local(d: Draft, scope: Scope) -> None:
    """A ref of the function's own, used and read."""
    name = d.fresh("tmp")
    shape = d.pick([a.shape for a in scope.arrays] or [(3,)])
    initial = expression(d, scope, shape, 1) if d.chance(0.6) else constant(d, shape)
    d.say(f"{name} = jax.new_ref({initial})")
    ref = Ref(name, shape)
    scope.refs.append(ref)
    if d.chance(0.7):
        d.say(f"{name}[...] {d.pick(['+=', '=', '*='])} {expression(d, scope, shape, 1)}")
    if d.chance(0.3):
        out = d.fresh("h")
        d.say(f"{out} = jax.freeze({name})")
        scope.arrays.append(Arr(out, shape))
        if d.slip("read after freeze"):
            d.say(f"{out} = {out} + {name}[...]")
        elif d.slip("frozen twice"):
            d.say(f"{out} = {out} + jax.freeze({name})")
        scope.refs.remove(ref)
    elif d.slip("ref of a ref"):
        d.say(f"{d.fresh('tmp')} = jax.new_ref({name})")


def grouped(d: Draft, scope: Scope) -> None:
    """All refs of a container are read."""
    if not scope.groups:
        return read(d, scope)
    group = d.pick(scope.groups)
    for ref in group.refs:
        note(scope, ref, "read")
    name = d.fresh("h")
    total = d.need("total", "def total(refs):", "    return sum(jnp.sum(ref[...]) for ref in refs)")
    one = "jnp.sum(r)" if d.slip("ref as an array") else "jnp.sum(r[...])"
    forms = [
        f"{name} = {total}({group.each})",
        f"{name} = {total}(jax.tree.leaves({group.text}))",
        f"{name} = sum({one} for r in {group.each})",
        f"{name} = sum([{one} for r in {group.each}])",
        f"{name} = jax.tree.reduce(lambda s, r: s + {one}, {group.text}, 0.0)",
        f"{name} = sum(jax.tree.leaves(jax.tree.map(lambda r: {one}, {group.text})))",
    ]
    choice = d.random.randrange(len(forms) + 2)
    if one == "jnp.sum(r)":
        choice = max(choice, 2)
    if choice < len(forms):
        d.say(forms[choice])
    elif choice == len(forms):
        d.say(f"{name} = 0.0")
        with d.block(f"for r in {group.each}:"):
            d.say(f"{name} = {name} + {one}")
    else:
        first, second = d.fresh("one"), d.fresh("two")
        d.say(f"{first}, {second} = {group.each}")
        d.say(f"{name} = {one.replace('(r', '(' + first)} * jnp.sum({second}[...])")
    scope.arrays.append(Arr(name, ()))


def roundabout(d: Draft, scope: Scope) -> None:
    """A ref is reached by another name, a view, a closure, an attribute, or asked for its type."""
    refs = floats(scope)
    if not refs:
        return compute(d, scope)
    ref = d.pick(refs)
    name = d.fresh("h")
    shape = ref.shape
    kind = d.pick(["alias", "view", "closure", "type", "lambda", "method", "wrapped", "default"])
    if kind == "view" and not ref.shape:
        kind = "alias"
    note(scope, ref, "index" if kind == "view" else "read")
    if kind == "alias":
        alias = d.fresh("same")
        d.say(f"{alias} = {ref.text}")
        d.say(f"{name} = {alias}[...] * 2.0")
    elif kind == "view":
        shape = ref.shape[1:]
        d.say(f"{name} = {ref.text}.at[0]{d.pick(['.get()', '[...]'])}")
    elif kind == "closure":
        reader = d.need(
            "reader",
            "def reader(ref):",
            "    def now():",
            "        return ref[...]",
            "    return now",
        )
        d.say(f"{name} = {reader}({ref.text})()")
    elif kind == "type":
        d.say(f"{name} = jnp.ones({ref.text}.shape, {ref.text}.dtype) + jnp.zeros_like({ref.text})")
    elif kind == "lambda":
        d.say(f"{name} = (lambda r: r[...] + 1.0)({ref.text})")
    elif kind == "method":
        box = d.need(
            "Box", "class Box:", "    def __init__(self, ref):", "        self.ref = ref",
            "    def value(self):", "        return self.ref[...]",
        )  # fmt: skip
        d.say(f"{name} = {box}({ref.text}).value()")
    elif kind == "wrapped":
        d.say(f"{name} = {{'r': [{ref.text}]}}['r'][0][...]")
    else:
        inner = d.fresh("get")
        with d.block(f"def {inner}(r={ref.text}):"):
            d.say("return r[...]")
        d.say(f"{name} = {inner}()")
    scope.arrays.append(Arr(name, shape))


def python_loop(d: Draft, scope: Scope) -> None:
    """A `for` over refs, or over numbers."""
    refs = floats(scope)
    name = d.fresh("h")
    shape = d.pick([a.shape for a in scope.arrays] or [(3,)])
    d.say(f"{name} = {expression(d, scope, shape, 1)}")
    if len(refs) >= 2 and d.chance(0.6):
        some = d.random.sample(refs, 2)
        one = d.fresh("each")
        with d.block(f"for {one} in ({', '.join(r.text for r in some)}):"):
            if d.slip("ref as an array"):
                d.say(f"{name} = {name} * {one}")
            else:
                d.say(f"{name} = {name} * jnp.sum({one}[...])")
        for ref in some:
            note(scope, ref, "read")
    else:
        inner = replace(scope, arrays=[*scope.arrays, Arr(name, shape)], refs=list(scope.refs))
        with d.block(f"for _ in range({d.pick([1, 2, 3])}):"):
            d.say(f"{name} = {expression(d, inner, shape, 1)}")
            if d.chance(0.4):
                d.pick([store, compute])(d, inner)
    scope.arrays.append(Arr(name, shape))


# -- functions in functions --------------------------------------------------------------------------


def entering(scope: Scope, transform: str) -> Scope:
    """The scope of a function under a transform, as far as it closes over what is in sight."""
    refs = scope.refs
    if transform == GRAD:
        refs = [replace(r, tainted=False) for r in refs]
    if transform == VMAP:
        refs = [replace(r, writable=False) for r in refs]
    if transform == REMAT:
        # Written twice when differentiated, which JAX keeps silent about.
        refs = [replace(r, writable=False) for r in refs]
    return Scope(
        list(scope.arrays),
        list(refs),
        (*scope.under, transform),
        scope.depth + 1,
        list(scope.groups),
    )


def _closed(inner: Scope, ref: Ref) -> None:
    """A ref that is passed must not be reached by its own name, too."""
    inner.refs = [r for r in inner.refs if r.uses is not ref.uses]
    inner.groups = [g for g in inner.groups if not any(r.uses is ref.uses for r in g.refs)]


def nested(d: Draft, scope: Scope) -> None:
    """A function of the function's own, under some transform."""
    options: list[Callable[[Draft, Scope], None]] = [
        _jitted,
        _scanned,
        _fori,
        _remat,
        _mapped,
        _lax_map,
    ]
    if VMAP not in scope.under:
        options += [_conditional, _switch]
    if not scope.under:
        options += [_while]
    if GRAD not in scope.under:
        options += [_gradient, _jacobian]
    options.append(_inner_vjp)
    if scope.depth >= 2 or not scope.arrays:
        return compute(d, scope)
    d.pick(options)(d, scope)


def _shape(d: Draft, scope: Scope) -> Shape:
    return d.pick([a.shape for a in scope.arrays if a.dtype == "float32"] or [(3,)])


def _function(
    d: Draft, inner: Scope, stem: str, parameters: list[str], returns: Callable[[], str]
) -> str:
    name = d.fresh(stem)
    with d.block(f"def {name}({', '.join(parameters)}):"):
        statements(d, inner, d.pick([0, 1, 1, 2]))
        d.say(f"return {returns()}")
    return name


def _jitted(d: Draft, scope: Scope) -> None:
    shape = _shape(d, scope)
    inner = entering(scope, JIT)
    a = d.fresh("a")
    inner.arrays.append(Arr(a, shape))
    passed = [r for r in scope.refs if d.chance(0.3)][:2]
    parameters = [a]
    arguments = [expression(d, scope, shape, 1)]
    for ref in passed:
        p = d.fresh("p")
        if not d.slip("passed and closed over"):
            _closed(inner, ref)
        inner.refs.append(replace(ref, text=p))
        parameters.append(p)
        arguments.append(ref.text)
    if passed and d.slip("passed twice"):
        parameters.append(d.fresh("p"))
        arguments.append(passed[0].text)
    leak = bool(inner.refs) and d.slip("ref returned from jit")
    wanted = d.pick([shape, ()])
    function = _function(
        d, inner, "inner", parameters,
        lambda: d.pick(inner.refs).text if leak else expression(d, inner, wanted, 1),
    )  # fmt: skip
    out = d.fresh("h")
    d.say(f"{out} = jax.jit({function})({', '.join(arguments)})")
    scope.arrays.append(Arr(out, wanted))


def _scanned(d: Draft, scope: Scope) -> None:
    shape = _shape(d, scope)
    inner = entering(scope, LOOP)
    c, z = d.fresh("c"), d.fresh("z")
    inner.arrays += [Arr(c, shape), Arr(z, ())]
    wide = bool(inner.refs) and d.slip("ref returned from scan")
    function = _function(
        d, inner, "step", [c, z],
        lambda: f"{expression(d, inner, shape, 1)}, {d.pick(inner.refs).text if wide else z}",
    )  # fmt: skip
    out = d.fresh("h")
    carry = expression(d, scope, shape, 1)
    if floats(scope) and d.slip("ref for a carry"):
        carry = d.pick(floats(scope)).text
    xs = d.pick(["jnp.arange(3.0)", "jnp.ones(2)"])
    d.say(f"{out}, _ = jax.lax.scan({function}, {carry}, {xs})")
    scope.arrays.append(Arr(out, shape))


def _fori(d: Draft, scope: Scope) -> None:
    shape = _shape(d, scope)
    inner = entering(scope, LOOP)
    i, c = d.fresh("i"), d.fresh("c")
    inner.arrays += [Arr(c, shape), Arr(i, (), "int32")]
    function = _function(d, inner, "turn", [i, c], lambda: expression(d, inner, shape, 1))
    out = d.fresh("h")
    d.say(
        f"{out} = jax.lax.fori_loop(0, {d.pick([1, 2, 3])}, {function}, {expression(d, scope, shape, 1)})"
    )
    scope.arrays.append(Arr(out, shape))


def _while(d: Draft, scope: Scope) -> None:
    shape = _shape(d, scope)
    inner = entering(scope, LOOP)
    c = d.fresh("c")
    inner.arrays.append(Arr(f"{c}[1]", shape))
    function = _function(
        d, inner, "turn", [c], lambda: f"{c}[0] + 1, {expression(d, inner, shape, 1)}"
    )
    out = d.fresh("h")
    d.say(
        f"_, {out} = jax.lax.while_loop(lambda c: c[0] < 2, {function}, (0, {expression(d, scope, shape, 1)}))"
    )
    scope.arrays.append(Arr(out, shape))


def _remat(d: Draft, scope: Scope) -> None:
    shape = _shape(d, scope)
    inner = entering(scope, REMAT)
    a = d.fresh("a")
    inner.arrays.append(Arr(a, shape))
    function = _function(d, inner, "block", [a], lambda: expression(d, inner, shape, 1))
    out = d.fresh("h")
    d.say(f"{out} = jax.checkpoint({function})({expression(d, scope, shape, 1)})")
    scope.arrays.append(Arr(out, shape))


def _mapped(d: Draft, scope: Scope) -> None:
    batches = [a for a in scope.arrays if a.shape]
    if not batches:
        return compute(d, scope)
    batch = d.pick(batches)
    inner = entering(scope, VMAP)
    row = d.fresh("row")
    inner.arrays.append(Arr(row, batch.shape[1:]))
    parameters, arguments, axes = [row], [batch.text], ["0"]
    for ref in scope.refs:
        if d.chance(0.1):
            p = d.fresh("p")
            _closed(inner, ref)
            inner.refs.append(replace(ref, text=p, writable=False))
            parameters.append(p)
            arguments.append(ref.text)
            axes.append("None")
            break
        if ref.shape[:1] == batch.shape[:1] and ref.dtype == "float32" and d.chance(0.4):
            p = d.fresh("p")
            _closed(inner, ref)
            inner.refs.append(replace(ref, text=p, shape=ref.shape[1:]))
            parameters.append(p)
            arguments.append(ref.text)
            axes.append("0")
            break
    shape = d.pick([batch.shape[1:], ()])
    function = _function(d, inner, "one", parameters, lambda: expression(d, inner, shape, 1))
    out = d.fresh("h")
    how = f"jax.vmap({function})"
    if "None" in axes or d.chance(0.2):
        how = f"jax.vmap({function}, in_axes=({', '.join(axes)},))"
    d.say(f"{out} = {how}({', '.join(arguments)})")
    scope.arrays.append(Arr(out, (batch.shape[0], *shape)))


def _conditional(d: Draft, scope: Scope) -> None:
    shape = _shape(d, scope)
    a = d.fresh("a")
    names = []
    for stem in ("yes", "no"):
        inner = entering(scope, COND)
        inner.arrays.append(Arr(a, shape))
        if stem == "no" and d.chance(0.5):
            names.append(f"lambda {a}: {expression(d, inner, shape, 1)}")
        else:
            names.append(
                _function(d, inner, stem, [a], lambda inner=inner: expression(d, inner, shape, 1))
            )
    out = d.fresh("h")
    test = f"{expression(d, scope, (), 1)} > 0.0"
    d.say(f"{out} = jax.lax.cond({test}, {', '.join(names)}, {expression(d, scope, shape, 1)})")
    scope.arrays.append(Arr(out, shape))


def _switch(d: Draft, scope: Scope) -> None:
    shape = _shape(d, scope)
    a = d.fresh("a")
    names = []
    for stem in ("low", "high"):
        inner = entering(scope, COND)
        inner.arrays.append(Arr(a, shape))
        names.append(
            _function(d, inner, stem, [a], lambda inner=inner: expression(d, inner, shape, 1))
        )  # type: ignore[misc]
    out = d.fresh("h")
    d.say(
        f"{out} = jax.lax.switch({d.pick(['0', '1'])}, [{', '.join(names)}], {expression(d, scope, shape, 1)})"
    )
    scope.arrays.append(Arr(out, shape))


def _lax_map(d: Draft, scope: Scope) -> None:
    batches = [a for a in scope.arrays if a.shape and a.dtype == "float32"]
    if not batches:
        return compute(d, scope)
    batch = d.pick(batches)
    inner = entering(scope, LOOP)
    row = d.fresh("row")
    inner.arrays.append(Arr(row, batch.shape[1:]))
    function = _function(d, inner, "each", [row], lambda: expression(d, inner, (), 1))
    out = d.fresh("h")
    d.say(f"{out} = jax.lax.map({function}, {batch.text})")
    scope.arrays.append(Arr(out, batch.shape[:1]))


def _jacobian(d: Draft, scope: Scope) -> None:
    how = d.pick(["jacrev", "jacfwd", "hessian"])
    inner = entering(scope, GRAD)
    if how != "jacrev":
        inner = entering(inner, VMAP)
    a = d.fresh("a")
    inner.arrays.append(Arr(a, (3,)))
    function = _function(d, inner, "curve", [a], lambda: expression(d, inner, (), 1))
    out = d.fresh("h")
    d.say(f"{out} = jnp.sum(jax.{how}({function})({expression(d, scope, (3,), 1)}))")
    scope.arrays.append(Arr(out, ()))


def _inner_vjp(d: Draft, scope: Scope) -> None:
    """`jax.vjp` of arrays, in whatever function this is."""
    shape = _shape(d, scope)
    inner = entering(scope, GRAD)
    a = d.fresh("a")
    inner.arrays.append(Arr(a, shape))
    function = _function(d, inner, "part", [a], lambda: expression(d, inner, (), 1))
    value, pull, out = d.fresh("out"), d.fresh("pull"), d.fresh("h")
    d.say(f"{value}, {pull} = jax.vjp({function}, {expression(d, scope, shape, 1)})")
    cotangent = d.pick(["1.0", f"jnp.ones_like({value})"])
    if d.slip("cotangent of another shape"):
        cotangent = "jnp.ones(3)"
    d.say(f"{out}, = {pull}({cotangent})")
    scope.arrays.append(Arr(out, shape))


def _gradient(d: Draft, scope: Scope) -> None:
    shape = _shape(d, scope)
    inner = entering(scope, GRAD)
    a = d.fresh("a")
    inner.arrays.append(Arr(a, shape))
    parameters, arguments = [a], [expression(d, scope, shape, 1)]
    handed = [r for r in scope.refs if d.chance(0.25)][:1]
    for ref in handed:
        p = d.fresh("p")
        _closed(inner, ref)
        inner.refs.append(replace(ref, text=p, tainted=False))
        parameters.append(p)
        arguments.append(ref.text)
    function = _function(d, inner, "loss", parameters, lambda: expression(d, inner, (), 1))
    out = d.fresh("h")
    options = ""
    if d.chance(0.15) and not handed:
        first, aux = d.fresh("loss"), d.fresh("aux")
        with d.block(f"def {first}(v):"):
            d.say(f"return {function}(v), v * 2.0")
        d.say(f"{out}, {aux} = jax.grad({first}, has_aux=True)({arguments[0]})")
        scope.arrays += [Arr(out, shape), Arr(aux, shape)]
        return
    if handed and d.slip("grad of a ref"):
        options = d.pick([", argnums=1", ", argnums=(0, 1)", ", (0, 1)"])
    if d.chance(0.3):
        d.say(f"_, {out} = jax.value_and_grad({function}{options})({', '.join(arguments)})")
    else:
        d.say(f"{out} = jax.grad({function}{options})({', '.join(arguments)})")
    scope.arrays.append(Arr(out, shape))


PRODUCTIONS: list[tuple[int, Callable[[Draft, Scope], None]]] = [
    (4, read),
    (4, store),
    (3, compute),
    (1, local),
    (1, python_loop),
    (1, grouped),
    (2, roundabout),
    (3, nested),
]


def statements(d: Draft, scope: Scope, count: int) -> None:
    """Some statements, each of which may add names to the scope."""
    weights = [weight for weight, _ in PRODUCTIONS]
    for _ in range(count):
        [(_, production)] = d.random.choices(PRODUCTIONS, weights)
        production(d, scope)
