"""The entries given to `with_refs` do not have the structure of the primals."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.trees import Mismatch, TreeDef
from jaxref.domain.values import Sentinel
from jaxref.facts import RefsBound
from jaxref.rules.entries import structure_problem
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, some, vjp_made_here


def check(fact: RefsBound) -> Iterator[Finding]:
    """Keyword entries, or a tree that certainly differs."""
    if fact.earlier is not None:
        return
    if fact.keywords:
        yield Finding(
            fact.site.place,
            f"`with_refs` takes no keyword {code(fact.keywords[0])}: give one entry per primal of"
            f" {code(fact.vjp.function)}, in their order",
            fact,
            some(vjp_made_here(fact.vjp)),
        )
        return
    found = structure_problem(fact)
    if found is None:
        return
    yield Finding(fact.site.place, _message(fact, found), fact, some(vjp_made_here(fact.vjp)))


def _message(fact: RefsBound, found: Mismatch) -> str:
    info = fact.vjp
    function = code(info.function)
    if found.path == "" and found.left.kind == found.right.kind == "tuple":
        wanted, given = len(found.left.children), len(found.right.children)
        shape = f" of the structure {code(found.left.text())}" if found.left.known() else ""
        return (
            f"{function} was differentiated with respect to {_count(wanted, 'argument')}{shape}, but `with_refs` got"
            f" {_count(given, 'entry', 'entries')}: give one entry per argument, with the argument's own structure"
        )
    where = f"args{found.path}"
    words = _words(fact, found.path)
    given_words = _given(fact, found)
    return (
        f"the entries of `with_refs` must have the structure of the primals of {function}: {words} is"
        f" {_describe(found.left)}, its entry is {given_words}"
        + (f" (at {where})" if words != where else "")
    )


def _words(fact: RefsBound, path: str) -> str:
    step, _, rest = path[1:].partition("]")
    if step.isdigit() and int(step) < len(fact.vjp.arg_texts) and fact.vjp.arg_texts[int(step)]:
        return code(fact.vjp.arg_texts[int(step)] + rest)
    return f"args{path}"


def _given(fact: RefsBound, found: Mismatch) -> str:
    if found.right.kind == "leaf":
        for entry in fact.binding.entries:
            if entry.path == f"args{found.path}":
                if entry.refs:
                    return f"one ref, {code(entry.text)}" if entry.text else "one ref"
                if isinstance(entry.value, Sentinel):
                    return f"one `{entry.value.kind}()`, which stands for a single leaf"
        return "one leaf"
    return _describe(found.right)


def _describe(treedef: TreeDef) -> str:
    match treedef.kind:
        case "leaf":
            return "a single leaf"
        case "none":
            return "`None`, an empty tree"
        case "custom":
            name = treedef.label[1] if isinstance(treedef.label, tuple) else "object"
            if name in ("GradRef", "DidntWant"):
                return f"`{name}()`, a placeholder without leaves"
            return f"a {code(str(name))}"
        case "namedtuple":
            name = treedef.label[1] if isinstance(treedef.label, tuple) else "namedtuple"
            return f"a {code(str(name))}"
    return f"the {treedef.kind} {code(treedef.text())}"


def _count(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


RULE = Rule(
    "with-refs-structure",
    "error",
    "the entries of `with_refs` do not have the structure of the primals",
    (RefsBound,),
    ("ValueError", "TypeError"),
    check,
)
