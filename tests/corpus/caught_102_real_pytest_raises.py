# rule: rebind-bound-vjp
import jax
import pytest


def test_binding_twice_is_an_error():
    acc = jax.new_ref(0.0)
    _, back = jax.vjp(lambda x: x ** 2, 3.0)
    bound = back.with_refs(acc)
    with pytest.raises(AttributeError):
        bound.with_refs(acc)  # <-- here
    bound(1.0)
    assert acc[...] == 6.0


test_binding_twice_is_an_error()
