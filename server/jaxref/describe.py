"""What is known of the values at a place, for hovers and `jaxref reveal`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxref.domain.heap import RefObject, VjpObject
from jaxref.domain.values import RefValue, Sentinel, Transformed, Value, Vjp
from jaxref.engine import Described
from jaxref.facts import Binding, PrimalLeaf, VjpInfo
from jaxref.rules.wording import code, leaf_type, ref_type, value_type
from jaxref.source.text import Span, Text

if TYPE_CHECKING:
    from jaxref.interp.machine import Machine


def describe_at(machine: Machine, text: Text, offset: int) -> Described | None:
    """The innermost expression with a known ref, VJP, sentinel or transformed function at `offset`."""
    best: tuple[int, tuple[str, int, int]] | None = None
    for key in machine.seen:
        _, start, end = key
        if start <= offset <= end and (best is None or end - start < best[0]):
            best = (end - start, key)
    if best is None:
        return None
    value, held = machine.seen[best[1]]
    return _described(value, held, Span(best[1][1], best[1][2]), text)


def describe_all(machine: Machine, text: Text) -> tuple[Described, ...]:
    """Everything known, by place."""
    found = []
    for (_, start, end), (value, held) in sorted(
        machine.seen.items(), key=lambda item: item[0][1:]
    ):
        one = _described(value, held, Span(start, end), text)
        if one is not None:
            found.append(one)
    return tuple(found)


def _described(value: Value, held: object, span: Span, text: Text) -> Described | None:
    if isinstance(value, RefValue):
        if isinstance(held, RefObject):
            return _ref(value, held, span, text)
    if isinstance(value, Vjp):
        if isinstance(held, VjpObject):
            return _vjp(held, span, text)
    if isinstance(value, Sentinel):
        return _sentinel(value, span)
    if isinstance(value, Transformed):
        words = f"{value.kind} of a function"
        return Described(span, "function", words, f"**{value.kind}**-transformed function")
    return None


def _line(text: Text, span: Span | None) -> str:
    return f"line {text.position(span.start).line}" if span is not None else "elsewhere"


def _ref(value: RefValue, found: RefObject, span: Span, text: Text) -> Described:
    kind = ref_type(value) or "Ref"
    states = []
    states.append(
        "frozen" if found.frozen else ("maybe frozen" if found.frozen is None else "live")
    )
    if found.written:
        states.append("written")
    made = {
        "new_ref": "made",
        "empty_ref": "made empty",
        "parameter": "a parameter",
        "kernel": "given to a kernel",
    }
    origin = f"{made.get(found.how, 'made')} at {_line(text, found.span)}"
    line = f"{kind}, {origin}, {', '.join(states)}"
    rows = [
        f"**{kind}**" + (f" `{found.name}`" if found.name else ""),
        "",
        f"- {origin}",
        f"- {', '.join(states)}",
    ]
    if found.kind:
        rows.append(f"- kind {code(found.kind)}")
    return Described(span, "ref", line, "\n".join(rows))


def _fate(leaf: PrimalLeaf, binding: Binding | None, index: int) -> str:
    if binding is None:
        return "**nowhere to go: needs a gradient ref**" if leaf.is_ref else "returned as a value"
    if index >= len(binding.entries):
        return "returned as a value" if binding.empty else "not known"
    entry = binding.entries[index]
    if entry.refs:
        return f"added to {code(entry.text or entry.refs[0][1].name or 'a ref')}"
    if (
        isinstance(entry.value, Sentinel)
        and entry.value.instance
        and entry.value.kind == "DontWant"
    ):
        return "not computed"
    return "returned as a value"


def _vjp(found: VjpObject, span: Span, text: Text) -> Described:
    info: VjpInfo = found.info
    binding: Binding | None = found.bound
    state = "bound" if binding is not None else "unbound"
    rows = [
        f"**VJP of** {code(info.function)}, {state}",
        "",
        "| argument | type | its gradient |",
        "|---|---|---|",
    ]
    words = []
    for index, leaf in enumerate(info.leaves):
        kind = leaf_type(leaf) or value_type(leaf.value) or "?"
        fate = _fate(leaf, binding, index)
        rows.append(f"| {code(leaf.text or leaf.path)} | {code(kind)} | {fate} |")
        words.append(f"{leaf.text or leaf.path}: {kind}")
    rows += ["", f"made at {_line(text, info.site.place.span)}"]
    line = f"VJP of {info.function}({', '.join(words)}), {state}"
    return Described(span, "vjp", line, "\n".join(rows))


_SENTINELS = {
    "DontWant": "the gradient of this leaf is not computed; a `DidntWant()` comes back in its place",
    "GradValue": "the gradient of this leaf is returned as a value (not for refs)",
    "GradRef": "comes back where the gradient was added to a ref: read that ref",
    "DidntWant": "comes back where `DontWant()` was given: there is no gradient",
}


def _sentinel(value: Sentinel, span: Span) -> Described:
    name = f"jax.ad.{value.kind}" + ("()" if value.instance else "")
    words = _SENTINELS[value.kind]
    if not value.instance:
        words += "; this is the class, write `()` behind it"
    return Described(span, "sentinel", f"{name}: {words}", f"{code(name)}: {words}")
