# rule: none
"""Command line demo: `python demo.py --steps 3`."""
import argparse

import jax
import jax.numpy as jnp


def parse(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.1)
    return parser.parse_args(argv)


def main(argv=None):
    args = parse(argv)
    w, dw = jax.new_ref(jnp.full(3, 2.0)), jax.new_ref(jnp.zeros(3))
    for _ in range(args.steps):
        dw[...] = jnp.zeros_like(dw)
        value, pull = jax.vjp(lambda w: jnp.sum(w[...] ** 4), w)
        pull.with_refs(dw)(jnp.ones_like(value))
        w[...] -= args.lr * jnp.clip(dw[...], -1.0, 1.0)
    return float(value)


if __name__ == "__main__":
    raise SystemExit(0 if main([]) < 100.0 else 1)
