"""A ref stands where JAX wants an array."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import RefValue
from jaxref.facts import RefAccessed, RefMisused
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, misused_at, ref_words, some


def check(fact: RefMisused | RefAccessed) -> Iterator[Finding]:
    """Operators, array functions, missing methods, conversions, and refs stored into refs."""
    if isinstance(fact, RefAccessed):
        if fact.action in ("write", "swap", "addupdate") and isinstance(fact.value, RefValue):
            yield Finding(
                fact.site.place,
                f"a ref cannot be stored into {ref_words(fact.object, fact.ref)}: store its value, read with `[...]`",
                fact,
                some(made_here(fact.object)),
            )
        return
    words = _words(fact)
    if words is not None:
        yield Finding(fact.site.place, words, fact, some(made_here(fact.object)))


def _words(fact: RefMisused) -> str | None:
    name = misused_at(fact)
    read = (
        code(f"{fact.object.name}[...]")
        if fact.object.name and fact.object.name.isidentifier()
        else "`[...]`"
    )
    match fact.how:
        case "operator":
            return f"{name} is a ref, not an array, and {code(fact.what)} does not take refs: read its value with {read}"
        case "augmented":
            return (
                f"{code(fact.what)} would need {name} to be an array: to change the content of the ref write"
                f" {code((fact.object.name or 'ref') + '[...] ' + fact.what + ' ...')}"
            )
        case "function":
            return (
                f"{code(fact.what)} takes arrays, and {name} is a ref: read its value with {read}"
            )
        case "primitive":
            return (
                f"{code(fact.what)} takes arrays, and {name} is a ref: read its value with {read}"
            )
        case "key":
            return f"{code(fact.what)} takes a key, and {name} is a ref: read the key with {read}"
        case "method":
            return (
                f"a ref has no {code('.' + fact.what)}: read the value of {name} with {read} first"
            )
        case "float":
            return f"{code(fact.what + '()')} takes numbers, and {name} is a ref: read its value with {read}"
        case "index":
            return f"{name} is a ref and no index: read its value with {read}"
        case "format":
            return f"{name} is a ref and takes no format: read its value with {read}"
        case "call":
            return f"{name} is a ref and cannot be called: read its value with {read}"
        case "len":
            return f"{name} is a scalar ref and has no length"
    return None


RULE = Rule(
    "ref-as-array",
    "error",
    "a ref is used as if it were an array",
    (RefMisused, RefAccessed),
    ("TypeError", "AttributeError", "ValueError"),
    check,
)
