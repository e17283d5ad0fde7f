"""Descriptions of functions, by canonical name. A description is a Python function that takes the
machine and a call and answers with a value; it states facts on the way."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from jaxref.domain.values import UNKNOWN, Transformed, Value
from jaxref.late import Table
from jaxref.quick_dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

Handler = Callable[["Machine", "Call"], Value]


@dataclass(slots=True)
class Call:
    """A call as a model sees it.

    `open` is true when positional or keyword arguments of unknown number were spliced in; `nodes` are
    the expressions of `args` (None for spliced ones), for the user's words.
    """

    node: ast.AST
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    open: bool = False
    nodes: tuple[ast.expr | None, ...] = ()
    keyword_nodes: Mapping[str, ast.expr] = field(default_factory=dict)
    texts: Sequence[str] = ()

    def first(self) -> Value:
        """The first positional argument; Unknown when there is none."""
        return self.args[0] if self.args else UNKNOWN

    def expression(self, index: int) -> ast.expr | None:
        """The expression of a positional argument, or the call's own when it has none."""
        found = self.nodes[index] if index < len(self.nodes) else None
        return (
            found if found is not None else (self.node if isinstance(self.node, ast.expr) else None)
        )

    def argument(self, index: int, name: str, default: Value | None = None) -> Value | None:
        """The argument at a position or under a name."""
        if index < len(self.args):
            return self.args[index]
        found = self.kwargs.get(name)
        return default if found is None else found


def plain_call(node: ast.AST, *args: Value, **kwargs: Value) -> Call:
    """A call that jaxref makes on the program's behalf."""
    return Call(node, args, kwargs)


@dataclass(frozen=True, slots=True)
class Description:
    """What a function does, and the JAX versions that have it (`until` exclusive)."""

    name: str
    handler: Handler
    since: tuple[int, ...] | None = None
    until: tuple[int, ...] | None = None


DESCRIPTIONS: Table[Description] = Table("jaxref.jaxmodel", "DESCRIPTIONS")


def describe(
    *names: str, since: tuple[int, ...] | None = None, until: tuple[int, ...] | None = None
) -> Callable[[Handler], Handler]:
    """Register a description under its canonical names."""

    def register(handler: Handler) -> Handler:
        for name in names:
            DESCRIPTIONS[name] = Description(name, handler, since, until)
        return handler

    return register


TransformedHandler = Callable[["Machine", Transformed, Call], Value]

TRANSFORMED_CALLS: Table[TransformedHandler] = Table("jaxref.jaxmodel", "TRANSFORMED_CALLS")
"""What calling a transformed function does, by the kind of transform."""


def calls(kind: str) -> Callable[[TransformedHandler], TransformedHandler]:
    """Register what calling a `Transformed` of a kind does."""

    def register(handler: TransformedHandler) -> TransformedHandler:
        TRANSFORMED_CALLS[kind] = handler
        return handler

    return register


_PREFIXES = (
    ("jax.ref.", "jax."),
    ("jax.tree_util.tree_", "jax.tree."),
    ("jax._src.core.", "jax."),
    ("jax.core.", "jax."),
    ("jax.experimental.pallas.", "pallas."),
)

_ALIASES = {
    "jax.ref.get": "jax.ref.get",
    "jax.ref.set": "jax.ref.set",
    "jax.ref.swap": "jax.ref.swap",
    "jax.ref.addupdate": "jax.ref.addupdate",
    "jax.tree_map": "jax.tree.map",
    "jax.tree_leaves": "jax.tree.leaves",
    "jax.tree_flatten": "jax.tree.flatten",
    "jax.tree_unflatten": "jax.tree.unflatten",
    "jax.tree_structure": "jax.tree.structure",
    "jax.remat": "jax.checkpoint",
    "jax.tree_util.tree_leaves_with_path": "jax.tree.leaves_with_path",
    "jax.tree_util.tree_map_with_path": "jax.tree.map_with_path",
    "jax.tree_util.tree_flatten_with_path": "jax.tree.flatten_with_path",
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.ad_checkpoint.remat": "jax.checkpoint",
    "jax.experimental.shard_map.shard_map": "jax.shard_map",
    "jax.tree_util.Partial": "jax.tree_util.Partial",
    "jax.custom_derivatives.custom_vjp": "jax.custom_vjp",
    "jax.custom_derivatives.custom_jvp": "jax.custom_jvp",
    "jax.api.vjp": "jax.vjp",
}


def canonical(name: str) -> str:
    """The one name under which a function is described, for any public path to it."""
    found = _ALIASES.get(name)
    if found is not None:
        return found
    if name.startswith("jax."):
        for prefix, instead in _PREFIXES:
            if name.startswith(prefix):
                return instead + name[len(prefix) :]
    elif name.startswith("jaxlib"):
        return name
    return name
