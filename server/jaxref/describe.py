"""What is known of the values at a place, for hovers and `jaxref reveal`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from jaxref.diagnostics.model import Described, Diagnostic
from jaxref.diagnostics.report import rule_url
from jaxref.domain.heap import RefObject, VjpObject
from jaxref.domain.values import RefValue, Sentinel, Transformed, Vjp
from jaxref.facts import (
    Binding,
    Fact,
    FunctionTraced,
    Place,
    PrimalLeaf,
    RefAccessed,
    RefsBound,
    VjpApplied,
    VjpInfo,
)
from jaxref.interp.parts import Key, Part, Parts
from jaxref.jaxmodel.tracing import function_name
from jaxref.quick_dataclasses import dataclass, field, replace
from jaxref.rules.registry import rule_named
from jaxref.rules.wording import code, leaf_type, ref_type, ref_words, value_type
from jaxref.source.parsing import span_of
from jaxref.source.text import Span, Text
from jaxref.source.walking import statements_on


@dataclass
class Descriptions:
    """Everything a module's analysis can say at a place. `diagnostics` are those of the module."""

    path: str
    text: Text
    parts: Parts
    diagnostics: Sequence[Diagnostic]
    _receiving: dict[Part, dict[Span, str]] = field(default_factory=dict)
    _named: dict[Part, dict[int, list[tuple[int, str]]]] = field(default_factory=dict)
    _done: dict[Part, dict[int, list[tuple[str, Place]]]] = field(default_factory=dict)
    _histories: dict[int, tuple[list[str], list[str]]] = field(default_factory=dict)

    def at(self, offset: int) -> Described | None:
        """The innermost expression with a known ref, VJP, sentinel or transformed function there."""
        telling = self.parts.telling(offset)
        if telling is None:
            return None
        part, key = telling
        receivers: Mapping[Span, str] = {}
        if _is_argument(self.parts.tree, Span(key[1], key[2]), self.text):
            receivers = self._receivers(self.parts.within(Span(offset, offset)))
        found = self._of(part, key, receivers)
        return None if found is None else self._with_findings(found, offset)

    def all(self) -> tuple[Described, ...]:
        """Everything known, by place."""
        parts = self.parts.all()
        receivers = self._receivers(parts)
        places: dict[Key, Part] = {}
        for part in parts:
            for key in part.seen:
                places.setdefault(key, part)
        ordered = sorted(places.items(), key=lambda item: item[0][1:])
        found = [self._of(part, key, receivers) for key, part in ordered]
        return tuple(one for one in found if one is not None)

    def _of(self, part: Part, key: Key, receivers: Mapping[Span, str]) -> Described | None:
        """What is known of a telling expression that `part` was the first to evaluate."""
        value, held = part.seen[key]
        span = Span(key[1], key[2])
        found: Described | None = None
        if isinstance(value, RefValue) and isinstance(held, RefObject):
            found = self._ref(part, value, held, span)
        elif isinstance(value, Vjp) and isinstance(held, VjpObject):
            found = self._vjp(held, span)
        elif isinstance(value, Sentinel):
            called = self.text.content[span.end : span.end + 1] == "("
            found = _sentinel(Sentinel(value.kind, True) if called else value, span)
        elif isinstance(value, Transformed):
            found = self._transformed(value, span)
        receives = receivers.get(span)
        if found is not None and receives is not None:
            line = f"entry for the gradient of {receives}"
            found = replace(
                found, line=f"{found.line}; {line}", markdown=f"{found.markdown}\n\n{line}"
            )
        return found

    def _receivers(self, parts: Sequence[Part]) -> dict[Span, str]:
        """The primals that `with_refs` entries stand for, by the span of the entry."""
        found: dict[Span, str] = {}
        for part in reversed(parts):
            found.update(self._receivers_in(part))
        return found

    def _receivers_in(self, part: Part) -> dict[Span, str]:
        known = self._receiving.get(part)
        if known is not None:
            return known
        found: dict[Span, str] = {}
        for fact in part.facts:
            if not isinstance(fact, RefsBound) or fact.site.place.path != self.path:
                continue
            node = fact.site.node
            if not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
                continue
            for position, argument in enumerate(node.args):
                leaves = [leaf for leaf in fact.vjp.leaves if leaf.position == position]
                if leaves and position < len(fact.vjp.arg_texts):
                    words = fact.vjp.arg_texts[position] or leaves[0].text
                    span = span_of(argument, self.text)
                    found.setdefault(
                        span, f"{code(words)} (args[{position}] of {code(fact.vjp.function)})"
                    )
        self._receiving[part] = found
        return found

    def _with_findings(self, found: Described, offset: int) -> Described:
        """With what JAX does at a flagged place."""
        rows = []
        for one in self.diagnostics:
            if one.span.start <= offset <= one.span.end:
                rule = rule_named(one.rule)
                raises = rule.raises[0] if rule is not None and rule.raises else None
                fate = f"JAX raises `{raises}` here" if raises else "JAX says nothing here"
                rows.append(f"[{one.rule}]({rule_url(one.rule)}): {fate}")
        if not rows:
            return found
        return replace(found, markdown=found.markdown + "\n\n---\n" + "  \n".join(rows))

    def _line(self, path: str, span: Span | None) -> str:
        if span is None or path != self.path:
            return "elsewhere"
        return f"line {self.text.position(span.start).line}"

    def _ref(self, part: Part, value: RefValue, found: RefObject, span: Span) -> Described:
        kind = ref_type(value) or "Ref"
        frozen = "frozen" if found.frozen else ("maybe frozen" if found.frozen is None else "live")
        states = [frozen]
        if found.written:
            states.append("written")
        if found.accumulated:
            states.append("holds gradients")
        made = {
            "new_ref": "made",
            "empty_ref": "made empty",
            "parameter": "declared",
            "kernel": "given to a kernel",
        }
        origin = f"{made.get(found.how, 'made')} at {self._line(found.path, found.span)}"
        line = f"{kind}, {origin}, {', '.join(states)}"
        rows = [
            f"**{kind}**" + (f" `{found.name}`" if found.name else ""),
            "",
            f"- {origin}",
            f"- {', '.join(states)}",
        ]
        rows += [f"- {words}" for words in self._history(part, value.id, found)]
        if found.kind:
            rows.append(f"- kind {code(found.kind)}")
        if found.traces:
            rows.append("- made inside of a traced function")
        return Described(span, "ref", line, "\n".join(rows))

    def _history(self, part: Part, ref: int, found: RefObject) -> Iterator[str]:
        """What else the program calls a ref, and where it is written and ended."""
        history = self._histories.get(ref)
        if history is None:
            # One ref may stand in thousands of places.
            parts = self.parts.with_ref(ref, part)
            history = self._histories[ref] = self._called(ref, parts), self._told(ref, parts)
        names = [name for name in history[0] if name != code(found.name or "")]
        if names:
            yield f"{'also ' if found.name else ''}called {_listed(names)}"
        yield from history[1]

    def _called(self, ref: int, parts: Sequence[Part]) -> list[str]:
        """The names of a ref, in the order of their places."""
        places = sorted(place for part in parts for place in self._names(part).get(ref, ()))
        return list(dict.fromkeys(name for _, name in places))

    def _told(self, ref: int, parts: Sequence[Part]) -> list[str]:
        """What changes a ref, in words."""
        happened: dict[str, dict[Place, None]] = {}
        for part in parts:
            for what, place in self._deeds(part).get(ref, ()):
                happened.setdefault(what, {}).setdefault(place)
        found = []
        for what, places in happened.items():
            if what == "written":
                # Adding a gradient is a write, too, of which more is said by its own name.
                added = happened.get(_ADDED, ())
                places = {one: None for one in places if one not in added}
            if places:
                found.append(f"{what} {self._lines(list(places))}")
        return found

    def _names(self, part: Part) -> dict[int, list[tuple[int, str]]]:
        """The names of each ref that a part saw, by its id, with their places."""
        known = self._named.get(part)
        if known is None:
            known = self._named[part] = {}
            for (kind, start, end), (value, _) in part.seen.items():
                if kind == "Name" and isinstance(value, RefValue):
                    name = code(self.text.content[start:end])
                    known.setdefault(value.id, []).append((start, name))
        return known

    def _deeds(self, part: Part) -> dict[int, list[tuple[str, Place]]]:
        """What changed each ref in a part, by its id, and where."""
        known = self._done.get(part)
        if known is None:
            known = self._done[part] = {}
            for fact in part.facts:
                for ref, what in _done_by(fact):
                    known.setdefault(ref, []).append((what, fact.site.place))
        return known

    def _lines(self, places: Sequence[Place]) -> str:
        own = [one.span.start for one in places if one.path == self.path]
        lines = sorted({self.text.position(start).line for start in own})
        words = [f"at line{'s' if len(lines) > 1 else ''} {_listed(lines)}"] if lines else []
        words += ["elsewhere"] if len(own) < len(places) else []
        return " and ".join(words)

    def _vjp(self, found: VjpObject, span: Span) -> Described:
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
            name = leaf.text or leaf.path
            rows.append(f"| {code(name)} | {code(kind)} | {_fate(leaf, binding, index)} |")
            words.append(f"{name}: {kind}")
        rows += ["", f"made at {self._line(info.site.place.path, info.site.place.span)}"]
        line = f"VJP of {info.function}({', '.join(words)}), {state}"
        return Described(span, "vjp", line, "\n".join(rows))

    def _transformed(self, value: Transformed, span: Span) -> Described:
        name = function_name(value.function)
        label = str(getattr(value.options.get("name"), "value", value.kind))
        line = f"{name} under {label}"
        rows = [f"{code(name)} under **{label}**"]
        refs: dict[str, None] = {}
        parts = self.parts.tracing(value.kind, name)
        for fact in (fact for part in parts for fact in part.facts):
            if (
                isinstance(fact, FunctionTraced)
                and fact.trace.kind == value.kind
                and fact.trace.function == name
            ):
                for ref, found, words in fact.passed:
                    kind = ref_type(ref) or "Ref"
                    refs[f"{code(words)}: {code(kind)}" if words else ref_words(found, ref)] = None
        if refs:
            rows += ["", "refs among its arguments:", *[f"- {words}" for words in refs]]
            line += f", refs among its arguments: {', '.join(refs).replace('`', '')}"
        return Described(span, "function", line, "\n".join(rows))


def _is_argument(tree: ast.Module, span: Span, text: Text) -> bool:
    """Whether the expression at a span is a positional argument of a call."""
    first = text.position(span.start)
    for statement in statements_on(tree, first.line):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                for argument in node.args:
                    if argument.lineno == first.line and span_of(argument, text) == span:
                        return True
    return False


_MOST_LISTED = 5

_ADDED = "gradients added"
_DEEDS = {
    "write": "written",
    "swap": "written",
    "accumulate": "written",
    "freeze": "frozen",
    "free": "freed",
}


def _done_by(fact: Fact) -> Iterator[tuple[int, str]]:
    """The refs that a fact changes, and how."""
    if isinstance(fact, RefAccessed):
        what = _DEEDS.get(fact.action)
        if what is not None:
            yield fact.ref.id, what
    elif isinstance(fact, VjpApplied) and fact.binding is not None:
        for entry in fact.binding.entries:
            for bound, _ in entry.refs:
                yield bound.id, _ADDED


def _listed(items: Sequence[object]) -> str:
    shown = [*map(str, items[:_MOST_LISTED]), *(["more"] if len(items) > _MOST_LISTED else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


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
