"""A VJP with Ref-typed primals is applied without gradient refs."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import PrimalLeaf, RefsBound, VjpApplied, VjpInfo
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, leaf_type, leaf_words, made_here, some, vjp_made_here


def check(fact: VjpApplied | RefsBound) -> Iterator[Finding]:
    """Applying an unbound VJP, or calling `with_refs()` without entries, with refs among the primals."""
    if isinstance(fact, RefsBound):
        if not fact.binding.empty or fact.earlier is not None or fact.keywords:
            return
    elif fact.binding is not None:
        return
    unbound = [leaf for leaf in fact.vjp.leaves if leaf.is_ref]
    if not unbound:
        return
    first = unbound[0]
    yield Finding(
        fact.site.place,
        _message(fact.vjp, unbound, isinstance(fact, RefsBound)),
        fact,
        some(vjp_made_here(fact.vjp), made_here(first.refs[0][1])),
        certain=any(leaf.certain for leaf in unbound),
    )


def _message(info: VjpInfo, unbound: list[PrimalLeaf], empty: bool) -> str:
    first = unbound[0]
    kind = leaf_type(first)
    what = f"a {code(kind)}" if kind else "a ref"
    more = len(unbound) - 1
    others = f" (and {more} more)" if more else ""
    done = "`with_refs()` gives no ref for it" if empty else "no gradient ref is bound"
    if info.maker == "jax.fwd_and_bwd":
        return (
            f"the gradient of {leaf_words(first, info, info.function)}, {what},{others} can only be accumulated"
            f" into a ref, and `jax.fwd_and_bwd` cannot bind one: use `jax.vjp` and `with_refs`"
        )
    if info.site.before(0, 11):
        # Binding a gradient ref for a Ref-typed primal works from JAX 0.11 on.
        return (
            f"the gradient of {leaf_words(first, info, info.function)}, {what},{others} cannot be computed with the"
            " JAX of this environment: let the function close over the ref, or use JAX 0.11"
        )
    return (
        f"the gradient of {leaf_words(first, info, info.function)}, {what},{others} can only be accumulated into"
        f" a ref, but {done}: bind one with `with_refs(...)` before applying the VJP"
    )


RULE = Rule(
    "unbound-ref-gradient",
    "error",
    "a VJP with Ref-typed primals is applied without a gradient ref for them",
    (VjpApplied, RefsBound),
    ("ValueError",),
    check,
)
