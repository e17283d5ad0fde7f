"""Names of the refs API that came, went or never were."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

HISTORY: dict[str, tuple[tuple[int, ...] | None, tuple[int, ...] | None]] = {
    "jax.array_ref": ((0, 7), (0, 9)),
    "jax.ArrayRef": ((0, 7), (0, 9)),
    "jax.experimental.mutable_array": (None, (0, 8)),
    "jax.experimental.MutableArray": (None, (0, 8)),
    "jax.mutable_array": (None, (0, 0)),
    "jax.ad": ((0, 10), None),
}
"""The versions that have each, from inclusive, to exclusive; measured by importing them."""


def exists(m: Machine, name: str) -> bool:
    """Whether the JAX in use has `name`, as far as its history is known."""
    history = HISTORY.get(name)
    if history is None:
        return True
    version = m.resolver.jax_version or (0, 12)
    since, until = history
    return (since is None or version >= since) and (until is None or version < until)
