"""What real programs do and was once taken for a mistake: nothing is said of any of it.

Each was the cause of false findings, or of an internal error, in code of public repositories. Those
that can run here are run, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxref.engine import Snapshot, analyse
from jaxref.settings import Settings

HEAD = "import functools\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n"

RUN = {
    "numpy arrays are narrowed when they are scanned over": """
        def body(_, x):
            ref = jax.new_ref(x)
            ref[...] += 2
            return (), ref[...]
        jax.lax.scan(body, (), np.arange(5))
        """,
    "optimization_barrier takes refs": """
        ref = jax.new_ref(jnp.float32(1.))
        y, same = jax.lax.optimization_barrier((jnp.float32(2.), ref))
        assert same is ref
        """,
    "a name is rebound after the last call": """
        total = jax.new_ref(0.)
        @jax.jit
        def add(x):
            total[...] += x
        add(1.)
        total = jax.new_ref(0.)
        total[...] += 1.
        """,
    "a call of another type traces anew": """
        total = jax.new_ref(0.)
        @jax.jit
        def add(x):
            total[...] += x.sum()
        add(jnp.ones(2))
        total = jax.new_ref(0.)
        add(jnp.ones(3))
        assert total[...] == 3.
        """,
    "a tuple made at run time is an index": """
        ref = jax.new_ref(jnp.zeros((2, 3)))
        index = tuple(jnp.int32(i) for i in (1, 2))
        ref[index] = 1.
        """,
    "isinstance of another library's class": """
        import dataclasses
        def put(value):
            if isinstance(value, dataclasses.Field) and "x" in value.metadata:
                return value.metadata["x"]
            return value
        put(jax.new_ref(1))[...]
        """,
    "an object of a registered class is no leaf": """
        @jax.tree_util.register_pytree_with_keys_class
        class Bunch(dict):
            __getattr__ = dict.__getitem__
            def tree_flatten_with_keys(self):
                keys = tuple(sorted(self))
                return tuple((jax.tree_util.DictKey(k), self[k]) for k in keys), keys
            @classmethod
            def tree_unflatten(cls, keys, values):
                return cls(zip(keys, values))
        refs = jax.tree.map(jax.new_ref, Bunch(a=1., b=2.))
        refs.a[...] = 3.
        """,
    "the backward rule does not run twice under checkpoint": """
        @jax.custom_vjp
        def stash(ref, x):
            return x
        def forward(ref, x):
            return x, ref
        def backward(ref, g):
            ref[...] = g
            return None, g
        stash.defvjp(forward, backward)
        ref = jax.new_ref(0.)
        jax.grad(jax.remat(lambda x: jnp.sin(stash(ref, jnp.sin(x)))))(1.)
        """,
    "the residuals of an attention are a second output": """
        q = jnp.ones((1, 4, 2, 8))
        f = functools.partial(jax.nn.dot_product_attention, return_residual=True)
        (out, rest), f_vjp = jax.vjp(f, q, q, q)
        f_vjp((out, rest))
        """,
}

READ = {
    "a tree of unknown structure": """
        def f(params):
            refs = jax.tree.map(jax.new_ref, params)
            refs["w"][...] = 0.
            refs.layer.kernel[...] += 1
            for ref in refs:
                ref[...] = 0
            g(refs["a"], refs["b"])
        @jax.jit
        def g(a, b): a[...] = b[...]
        """,
    "methods of traced refs in a function that others call": """
        def f(x):
            ref = jax.new_ref(x)
            ref.set(0.)
            return ref.get()
        """,
    "private attributes": """
        def f(ref: jax.Ref):
            return ref._refs.x
        """,
    "a function made under a trace and called by others": """
        from fuser import fuse
        @jax.jit
        def run(x):
            ref = jax.new_ref(x)
            @fuse
            def inner():
                ref[...] = ref[...] + 1
            inner()
            return jax.freeze(ref)
        run(jnp.ones(2))
        """,
    "kernels that are made from a body": """
        from jax.experimental import pallas as pl
        from elsewhere import copy, mesh
        @jax.jit
        def f(x):
            x_ref, o_ref = jax.new_ref(x), jax.new_ref(x)
            pl.kernel(body=copy, mesh=mesh)(x_ref, o_ref)
            return o_ref[...]
        @pl.kernel(mesh=mesh)
        def k(x_ref, o_ref):
            o_ref[...] = x_ref[...]
        @jax.jit
        def g(x):
            x_ref, o_ref = jax.new_ref(x), jax.new_ref(x)
            k(x_ref, o_ref)
        """,
    "definitions on paths that end": """
        def f(x):
            if x:
                class Local:
                    def method(self):
                        ref = jax.new_ref(0.)
                        return ref[...]
                def inner():
                    return jax.new_ref(Local())
                raise ValueError
            else:
                raise TypeError
        """,
}


def said_of(path: Path, text: str) -> list[str]:
    """Everything that is said of a program, hints apart."""
    result = analyse(Snapshot(str(path), text), Settings())
    assert not result.failures
    return [one.message for one in result.diagnostics if one.severity != "hint"]


def program(body: str) -> str:
    """The text of a program."""
    import textwrap

    return HEAD + textwrap.dedent(body)


@pytest.mark.parametrize("name", RUN)
def test_nothing_is_said_of_what_runs(name: str, tmp_path: Path) -> None:
    assert said_of(tmp_path / "program.py", program(RUN[name])) == []


@pytest.mark.parametrize("name", READ)
def test_nothing_is_said_where_there_is_doubt(name: str, tmp_path: Path) -> None:
    assert said_of(tmp_path / "program.py", program(READ[name])) == []


@pytest.mark.parametrize("name", RUN)
def test_what_is_said_to_run_runs(name: str) -> None:
    jax = pytest.importorskip("jax")
    if jax.__version_info__ < (0, 12):
        pytest.skip("the programs are for JAX 0.12")
    exec(compile(program(RUN[name]), name, "exec"), {"__name__": "program"})


def test_an_error_that_is_caught_leaves_nothing_else_to_say(tmp_path: Path) -> None:
    text = program("""
        import pytest
        ref = jax.new_ref(0.)
        @jax.custom_vjp
        def f(a, b): ...
        f.defvjp(lambda a, b: (None, None), lambda _, g: (None, None))
        with pytest.raises(ValueError):
            jax.vjp(f, ref, ref)
    """)
    assert said_of(tmp_path / "program.py", text) == []


def test_loops_within_loops_end_soon(tmp_path: Path) -> None:
    loops = "".join(f"{'    ' * depth}for i{depth} in some({depth}):\n" for depth in range(1, 12))
    text = program(f"def f(some, ref: jax.Ref):\n{loops}{'    ' * 12}if i1: ref[...] += some(i2)\n")
    analysis = analyse(Snapshot(str(tmp_path / "program.py"), text), Settings())
    assert analysis.incomplete
    assert not analysis.failures


def test_modules_read_on_a_path_that_ends_are_read_again(tmp_path: Path) -> None:
    (tmp_path / "state.py").write_text("import jax\ndef make(): return jax.new_ref(0.)\n")
    text = program("""
        def f(x):
            if x:
                from state import make
                raise ValueError
            return 1
        def g():
            from state import make
            return jnp.sin(make())
    """)
    result = analyse(Snapshot(str(tmp_path / "program.py"), text), Settings())
    assert not result.failures
    assert [one.rule for one in result.diagnostics] == ["ref-as-array"]
