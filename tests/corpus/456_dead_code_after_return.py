# rule: none
import jax
import jax.numpy as jnp


def summarize(buf):
    return buf[...].mean()
    return jnp.mean(buf)


def never(buf):
    total = buf + 1.0
    _, back = jax.vjp(lambda b: b[...].sum(), buf)
    return back(1.0), total


buf = jax.new_ref(jnp.arange(4.0))
if __name__ == "__main__":
    print(summarize(buf))
    handlers = {"summary": summarize}
    print(handlers["summary"](buf))
