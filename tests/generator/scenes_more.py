"""Further scenes: modules and records, pullbacks in containers, mapped and jitted refs, freezing, forward mode."""

from __future__ import annotations

import re

from generator import bodies
from generator.bodies import constant, entering, expression, statements
from generator.draft import COND, GRAD, JIT, VMAP, Arr, Draft, Ref, Scope, Shape
from generator.pool import make_array, make_ref
from generator.scenes import Scene


def _loss(d: Draft, refs: list[Ref], arrays: list[Arr], name: str = "loss") -> tuple[str, Scope]:
    """A function of some refs and arrays with a scalar result."""
    inner = Scope(arrays, refs, (GRAD,), 1)
    with d.block(f"def {name}({', '.join([r.text for r in refs] + [a.text for a in arrays])}):"):
        statements(d, inner, d.pick([0, 1, 2, 2, 3]))
        for ref in refs:
            bodies.note(inner, ref, "read")
        terms = " * ".join(f"jnp.sum({r.text}[...])" for r in refs) or "1.0"
        d.say(f"return {terms} + {expression(d, inner, (), 2)}")
    return name, inner


def records(d: Draft, scope: Scope) -> None:
    """Refs in a registered dataclass, or one with a `None` in it, as the primal."""
    shape = d.pick([(3,), (2, 2)])
    kind = d.pick(["register_dataclass", "none", "pytree_node"])
    if kind == "register_dataclass":
        d.imports.add("from dataclasses import dataclass")
        d.need(
            "Layer", "@jax.tree_util.register_dataclass", "@dataclass", "class Layer:", "    w: object",
            "    b: object",
        )  # fmt: skip
        make = "Layer({}, {})"
        parts = ("p.w", "p.b")
    elif kind == "pytree_node":
        d.need(
            "Layer", "@jax.tree_util.register_pytree_node_class", "class Layer:", "    def __init__(self, w, b):",
            "        self.w, self.b = w, b", "", "    def tree_flatten(self):", "        return (self.w, self.b), None",
            "", "    @classmethod", "    def tree_unflatten(cls, aux, children):", "        return cls(*children)",
        )  # fmt: skip
        make = "Layer({}, {})"
        parts = ("p.w", "p.b")
    else:
        make = "{{'w': {}, 'b': {}, 'mask': None}}"
        parts = ("p['w']", "p['b']")
    d.say(f"layer = {make.format(f'jax.new_ref(jnp.ones({shape}))', 'jax.new_ref(0.0)')}")
    x = make_array(d, scope)
    inner = Scope([Arr("a", x.shape)], [Ref(parts[0], shape), Ref(parts[1], ())], (GRAD,), 1)
    with d.block("def loss(p, a):"):
        statements(d, inner, d.pick([1, 2, 3]))
        d.say(f"return jnp.sum({parts[0]}[...]) + {parts[1]}[...] + {expression(d, inner, (), 1)}")
    d.say(f"out, f_vjp = jax.vjp(loss, layer, {x.text})")
    entry = d.pick(
        ["jax.ad.GradValue()", "jax.ad.DontWant()", f"jax.new_ref(jnp.zeros_like({x.text}))"]
    )
    w, b = f"jax.new_ref(jnp.zeros({shape}))", "jax.new_ref(0.0)"
    if d.slip("gradient ref of another shape"):
        w = "jax.new_ref(jnp.zeros((5,)))"
    elif d.slip("value for a ref"):
        b = d.pick(["jax.ad.GradValue()", "0.0"])
    given = make.format(w, b)
    if d.slip("one leaf for a container"):
        given = d.pick(["jax.new_ref(0.0)", "jax.ad.DontWant()", "None"])
    elif d.slip("another container"):
        given = f"({w}, {b})" if kind != "none" else f"{{'w': {w}, 'b': {b}}}"
    elif d.chance(0.4):
        given = "jax.tree.map(lambda r: jax.new_ref(jnp.zeros_like(r)), layer)"
    d.say(f"g = {given}")
    if d.slip("unbound"):
        d.say("f_vjp(1.0)")
    else:
        d.say(f"grads = f_vjp.with_refs(g, {entry})(1.0)")
    if given.startswith(("Layer", "jax.tree")) and kind != "none" and d.chance(0.5):
        d.say("step = 0.1 * g.w" if d.slip("ref as an array") else "step = 0.1 * g.w[...]")


def pullbacks(d: Draft, scope: Scope) -> None:
    """Several VJPs in a container, applied in a loop."""
    count = d.pick([2, 3])
    d.say(f"weights = [jax.new_ref({constant(d, (3,))}) for _ in range({count})]")
    x = make_array(d, scope)
    own = [Ref("p", (3,))]
    function, _ = _loss(d, own, [Arr("a", x.shape)], "layer")
    style = d.pick(["list", "loop", "dict"])
    if style == "list":
        d.say(f"pulls = [jax.vjp({function}, w, {x.text})[1] for w in weights]")
    elif style == "dict":
        d.say(f"pulls = {{i: jax.vjp({function}, w, {x.text})[1] for i, w in enumerate(weights)}}")
    else:
        d.say("pulls = []")
        with d.block("for w in weights:"):
            d.say(f"out, pull = jax.vjp({function}, w, {x.text})")
            d.say("pulls.append(pull)")
    d.say("grads = [jax.new_ref(jnp.zeros_like(w)) for w in weights]")
    each = "pulls.values()" if style == "dict" else "pulls"
    entry = d.pick(["jax.ad.DontWant()", "jax.ad.GradValue()"])
    with d.block(f"for pull, g in zip({each}, grads):"):
        if d.slip("unbound"):
            d.say("pull(1.0)")
        elif d.slip("entry missing"):
            d.say("pull.with_refs(g)(1.0)")
        elif d.slip("bound twice"):
            d.say(f"pull.with_refs(g, {entry}).with_refs(g, {entry})(1.0)")
        elif d.slip("cotangent of another shape"):
            d.say(f"pull.with_refs(g, {entry})(jnp.ones(3))")
        else:
            d.say(f"pull.with_refs(g, {entry})(1.0)")
    with d.block("for w, g in zip(weights, grads):"):
        d.say("w[...] -= 0.1 * g" if d.slip("ref as an array") else "w[...] -= 0.1 * g[...]")


def mapped(d: Draft, scope: Scope) -> None:
    """Refs with a batch axis under `vmap`, and gradients per example."""
    shape: Shape = d.pick([(), (3,), (2,)])
    n = d.pick([2, 4])
    d.say(f"w = jax.new_ref({constant(d, (n, *shape))})")
    d.say(f"x = {constant(d, (n, 3))}")
    d.say("shared = jax.new_ref(0.0)")
    if d.chance(0.5):
        own = [Ref("p", shape)]
        function, _ = _loss(d, own, [Arr("a", (3,))])
        d.say("g = jax.new_ref(jnp.zeros_like(w))")
        with d.block("def one(p, a, g):"):
            d.say(f"out, f_vjp = jax.vjp({function}, p, a)")
            if d.slip("unbound"):
                d.say("f_vjp(1.0)")
            elif d.slip("gradient ref that is not mapped over"):
                d.say("f_vjp.with_refs(jax.new_ref(jnp.zeros_like(p)), shared_x)(1.0)")
            else:
                d.say(
                    f"f_vjp.with_refs(g, {d.pick(['jax.ad.DontWant()', 'jax.ad.GradValue()'])})(1.0)"
                )
            d.say("return out")
        if d.mistake == "gradient ref that is not mapped over":
            d.lines.insert(0, "shared_x = jax.new_ref(jnp.zeros(3))")
        d.say(f"outs = jax.vmap(one)(w, x, {'w' if d.slip('passed twice') else 'g'})")
        d.say("total = jnp.sum(g[...])")
        return
    axes = d.pick(["", "", ", in_axes=(0, 0)", ", in_axes=0", ", out_axes=0"])
    inner = Scope(
        [Arr("a", (3,))], [Ref("p", shape), Ref("shared", (), writable=False)], (VMAP,), 1
    )
    with d.block("def one(p, a):"):
        statements(d, inner, d.pick([1, 2, 3]))
        if d.slip("write of a ref that is not mapped over"):
            d.say(
                d.pick(
                    [
                        "shared[...] = 1.0",
                        "shared[...] += jnp.sum(a)",
                        "jax.ref.addupdate(shared, ..., 1.0)",
                    ]
                )
            )
        d.say(f"return {expression(d, inner, d.pick([(), (3,)]), 1)}")
    call = f"jax.vmap(one{axes})(w, x)"
    if d.chance(0.3):
        call = f"jax.jit(jax.vmap(one{axes}))(w, x)"
    d.say(f"outs = {call}")


def frozen(d: Draft, scope: Scope) -> None:
    """Accumulate, freeze, go on with the value; eager or traced."""
    x = make_array(d, scope)
    traced = d.chance(0.7)
    inner = Scope([Arr("a", x.shape)], [], (JIT,) if traced else (), 1)
    if traced:
        d.say("@jax.jit")
    with d.block("def run(a):"):
        d.say("acc = jax.new_ref(jnp.zeros_like(a))")
        inner.refs = [Ref("acc", x.shape)]
        statements(d, inner, d.pick([1, 2]))
        d.say("acc[...] += a")
        way = d.random.randrange(4)
        if way == 0:
            d.say("total = jax.freeze(acc)")
        elif way == 1:
            finish = d.need("finish", "def finish(ref):", "    return jax.freeze(ref) * 2.0")
            d.say(f"total = {finish}(acc)")
        elif way == 2:
            d.say("total = acc[...]")
            d.say("jax.free_ref(acc)")
        else:
            d.say("total = acc[...]")
        if way != 3:
            if d.slip("read after freeze"):
                d.say("total = total + acc[...]")
            elif d.slip("frozen twice"):
                d.say("total = total * jax.freeze(acc)")
        inner.refs = []
        inner.arrays.append(Arr("total", x.shape))
        statements(d, inner, d.pick([0, 1]))
        if d.slip("ref returned from jit"):
            d.say("return total, acc")
        else:
            d.say(f"return {d.pick(['total', 'jnp.sum(total)'])}")
    d.say(f"out = run({x.text})")


def forward(d: Draft, scope: Scope) -> None:
    """`jvp`, `linearize`, `saveable_args` and `hessian` around refs."""
    w = make_ref(d, scope, (3,))
    x = make_array(d, scope)
    function, _ = _loss(d, [Ref("p", (3,))], [Arr("a", x.shape)])
    ones = f"jnp.ones_like({x.text})"
    way = d.random.randrange(4)
    if way == 0:
        d.say(f"t = jax.new_ref(jnp.ones_like({w.text}))")
        tangent = "jnp.ones(3)" if d.slip("array for the tangent of a ref") else "t"
        d.say(f"out, dot = jax.jvp({function}, ({w.text}, {x.text}), ({tangent}, {ones}))")
    elif way == 1:
        d.say(f"out, dot = jax.jvp(lambda v: {function}({w.text}, v), ({x.text},), ({ones},))")
    elif way == 2:
        d.say(f"out, lin = jax.linearize(lambda v: {function}({w.text}, v), {x.text})")
        d.say(f"dot = lin({ones})")
    else:
        how = d.pick(["jacrev", "jacfwd", "hessian", "grad", "value_and_grad"])
        if d.slip("grad of a ref"):
            d.say(f"h = jax.{how}({function})({w.text}, {x.text})")
        else:
            d.say(f"h = jax.{how}({function}, argnums=1)({w.text}, {x.text})")


def carried(d: Draft, scope: Scope) -> None:
    """Refs handed to jitted functions in containers, by keyword, statically, or through methods."""
    w = make_ref(d, scope, (3,))
    b = make_ref(d, scope, ())
    x = make_array(d, scope)
    inner = entering(Scope([], []), JIT)
    way = d.pick(["dict", "tuple", "keyword", "static", "method", "partial"])
    arrays = [Arr("a", x.shape)]
    if way == "dict":
        inner.refs, head = [Ref("s['w']", (3,)), Ref("s['b']", ())], "def step(s, a):"
        call = f"step({{'w': {w.text}, 'b': {b.text}}}, {x.text})"
        if d.slip("passed twice"):
            call = f"step({{'w': {w.text}, 'b': {w.text}}}, {x.text})"
    elif way == "tuple":
        inner.refs, head = [Ref("s[0]", (3,)), Ref("s[1]", ())], "def step(s, a):"
        call = f"step(({w.text}, {b.text}), {x.text})"
    elif way == "keyword":
        inner.refs, head = [Ref("p", (3,)), Ref("q", ())], "def step(a, *, p, q):"
        call = f"step({x.text}, p={w.text}, q={b.text})"
        if d.slip("passed twice"):
            call = f"step({x.text}, p={w.text}, q={w.text})"
    elif way == "static":
        inner.refs, head = [Ref("p", (3,)), Ref("q", ())], "def step(p, q, a, train):"
        call = f"step({w.text}, {b.text}, {x.text}, True)"
    else:
        inner.refs, head = [Ref("p", (3,)), Ref("q", ())], "def step(p, q, a):"
        call = f"step({w.text}, {b.text}, {x.text})"
    inner.arrays = arrays
    decorate = way != "partial"
    if way == "static":
        d.imports.add("import functools")
        d.say("@functools.partial(jax.jit, static_argnums=3)")
    elif decorate:
        d.say("@jax.jit")
    with d.block(head):
        if way == "static":
            with d.block("if train:"):
                statements(d, Scope(list(inner.arrays), list(inner.refs), inner.under, 1), 1)
                d.say("pass")
        if d.slip("passed and closed over"):
            d.say(f"{w.text}[...] += 1.0")
        statements(d, inner, d.pick([1, 2, 3]))
        if d.slip("ref returned from jit"):
            d.say(f"return {inner.refs[0].text}")
        else:
            d.say(f"return {expression(d, inner, d.pick([(), (3,)]), 1)}")
    if way == "partial":
        d.imports.add("import functools")
        d.say(f"run = functools.partial(jax.jit(step), {w.text})")
        call = f"run({b.text}, {x.text})"
    d.say(f"out = {call}")
    if d.chance(0.4):
        d.say(f"out = {call}")


def everyday(d: Draft, scope: Scope) -> None:
    """Python around refs: decorators, generators, `with`, `try`, properties, inheritance."""
    x = make_array(d, scope)
    w = make_ref(d, scope, d.pick([(3,), ()]))
    way = d.pick(
        ["decorator", "generator", "with", "try", "property", "inherit", "nonlocal", "star"]
    )
    inner = entering(scope, GRAD)
    inner.arrays = [Arr("a", x.shape)]
    if way == "decorator":
        d.imports.add("import functools")
        d.need(
            "logged", "def logged(f):", "    @functools.wraps(f)", "    def inner(*args):",
            "        return f(*args)", "    return inner",
        )  # fmt: skip
        d.say("@logged")
        with d.block("def loss(a):"):
            statements(d, inner, 2)
            d.say(f"return {expression(d, inner, (), 1)}")
        d.say(f"g = jax.grad(loss)({x.text})")
    elif way == "generator":
        with d.block("def rows(n):"), d.block("for i in range(n):"):
            d.say(f"yield {w.text}[...] * i")
        d.say("total = sum(jnp.sum(row) for row in rows(3))")
        statements(d, scope, 1)
    elif way == "with":
        d.imports.add("import contextlib")
        d.say("@contextlib.contextmanager")
        with d.block("def kept(ref):"):
            d.say("before = ref[...]")
            d.say("yield before")
            d.say("ref[...] = " + ("ref" if d.slip("store of a ref") else "before"))
        with d.block(f"with kept({w.text}) as old:"):
            scope.arrays.append(Arr("old", w.shape))
            statements(d, scope, 2)
            d.say(f"{w.text}[...] = old * 2.0")
    elif way == "try":
        with d.block("try:"):
            statements(d, scope, 1)
            d.say(f"v = {w.text}[...]")
        with d.block("finally:"):
            d.say(f"{w.text}[...] = jnp.zeros_like({w.text})")
    elif way == "property":
        with d.block("class Cell:"):
            with d.block("def __init__(self, ref):"):
                d.say("self._ref = ref")
            d.say("")
            d.say("@property")
            with d.block("def value(self):"):
                d.say("return self._ref" + ("" if d.slip("ref as an array") else "[...]"))
            d.say("")
            d.say("@value.setter")
            with d.block("def value(self, new):"):
                d.say("self._ref[...] = new")
        d.say(f"cell = Cell({w.text})")
        d.say("cell.value = cell.value * 2.0")
    elif way == "inherit":
        with d.block("class Base:"):
            with d.block("def __init__(self, ref):"):
                d.say("self.ref = ref")
            d.say("")
            with d.block("def read(self):"):
                d.say("return self.ref[...]")
        with d.block("class Scaled(Base):"):
            with d.block("def read(self):"):
                d.say("return 2.0 * super().read()")
            d.say("")
            with d.block("def loss(self, a):"):
                d.say("value = self.read()")
                if d.slip("tainted store"):
                    d.say("self.ref[...] = self.read() * jnp.sum(a)")
                else:
                    d.say("self.ref[...] = self.read() * jax.lax.stop_gradient(jnp.sum(a))")
                d.say("return jnp.sum(value) * jnp.sum(a)")
        d.say(f"g = jax.grad(Scaled({w.text}).loss)({x.text})")
    elif way == "nonlocal":
        with d.block("def build():"):
            d.say("seen = jax.new_ref(0.0)")
            with d.block("def loss(a):"):
                inner.refs = [Ref("seen", (), tainted=False)]
                statements(d, inner, d.pick([1, 2, 3]))
                d.say(f"return {expression(d, inner, (), 1)}")
            d.say("return loss, seen")
        d.say("loss, seen = build()")
        d.say(f"g = jax.grad(loss)({x.text})")
        d.say("total = 2.0 * seen" if d.slip("ref as an array") else "total = 2.0 * seen[...]")
    else:
        with d.block("def total(*refs, scale=1.0):"):
            one = "r" if d.slip("ref as an array") else "r[...]"
            d.say(f"return sum(jnp.sum({one}) * scale for r in refs)")
        other = make_ref(d, scope)
        d.say(f"refs = [{w.text}, {other.text}]")
        d.say("out, f_vjp = jax.vjp(total, *refs)")
        entries = "*[jax.new_ref(jnp.zeros_like(r)) for r in refs]"
        if d.slip("entry missing"):
            entries = "*[jax.new_ref(jnp.zeros_like(r)) for r in refs[:1]]"
        elif d.slip("value for a ref"):
            entries = "*[jnp.zeros_like(r) for r in refs]"
        d.say("f_vjp(1.0)" if d.slip("unbound") else f"grads = f_vjp.with_refs({entries})(1.0)")


def branches(d: Draft, scope: Scope) -> None:
    """Refs and VJPs in `cond` and `switch` branches that close over them or get them."""
    w = make_ref(d, scope, (3,))
    x = make_array(d, scope)
    inner = entering(scope, COND)
    p = "p"
    passed = d.chance(0.5)
    inner.refs = [Ref(p, (3,))] if passed else [Ref(w.text, (3,))]
    inner.arrays = [Arr("a", x.shape)]
    head = "p, a" if passed else "a"
    for name in ("yes", "no"):
        mine = Scope(list(inner.arrays), list(inner.refs), inner.under, 1)
        with d.block(f"def {name}({head}):"):
            statements(d, mine, d.pick([0, 1, 2]))
            if name == "yes" and d.slip("ref returned from cond"):
                d.say(f"return {mine.refs[0].text}")
            else:
                d.say(f"return {expression(d, mine, (3,), 1)}")
    operands = f"{w.text}, {x.text}" if passed else x.text
    if passed and d.slip("passed and closed over"):
        d.lines = [line.replace("def no(p, a):", f"def no(p, a, q={w.text}):") for line in d.lines]
        index = next(i for i, line in enumerate(d.lines) if "def no(" in line)
        indent = len(d.lines[index]) - len(d.lines[index].lstrip()) + 4
        d.lines.insert(index + 1, " " * indent + "v = q[...]")
    call = f"jax.lax.cond(jnp.sum({x.text}) > 0.0, yes, no, {operands})"
    if d.chance(0.3):
        call = f"jax.lax.switch(0, [yes, no], {operands})"
    if d.chance(0.3):
        with d.block("def both(v):"):
            d.say("return " + re.sub(rf"\b{x.text}\b", "v", call))
        call = f"jax.jit(both)({x.text})"
    d.say(f"out = {call}")


MORE_SCENES: list[tuple[int, Scene]] = [
    (2, records),
    (2, pullbacks),
    (2, mapped),
    (2, frozen),
    (2, forward),
    (2, carried),
    (3, everyday),
    (2, branches),
]
