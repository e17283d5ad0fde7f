"""Entries of `with_refs` whose number is wrong, or that came by keyword, flat or in one container."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import combinations

from jaxref.domain.trees import TreeDef, mismatch
from jaxref.domain.values import Sentinel
from jaxref.facts import RefsBound
from jaxref.fixes.application import application_of, put_in
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.entry_writing import EntryWriter, Problem, binding_fact, problem_of
from jaxref.fixes.given import Given, given_entries, tree_of
from jaxref.fixes.model import Applicability, Fix
from jaxref.fixes.primals import Primal, can_skip, is_path, one_by_one, primals_of
from jaxref.fixes.program import Program
from jaxref.fixes.reshaping import class_name, field_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def by_position(program: Program, finding: Finding) -> Fix:
    """Keyword entries, put into the order of the parameters."""
    fact, primals, call = _call(program, finding)
    if not fact.keywords or (len(call.keywords) != 1 and any(k.arg is None for k in call.keywords)):
        raise NotPossible
    patch = Patch(program)
    application = application_of(program, fact)
    writer = EntryWriter(patch, application, can_precede(program, application.node))
    by_name = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    if not by_name:
        keyword = call.keywords[0].value
        if call.args or not is_path(keyword):
            raise NotPossible
        return _one_container(program, fact, primals, keyword)
    for index, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            raise NotPossible
        writer.keep(primals[index], program.source(argument))
    rest = primals[len(call.args) :]
    if len(rest) == len(by_name) == 1:
        # Whatever it is called, there is one place for it.
        by_name = {rest[0].name: by_name.popitem()[1]}
    for primal in rest:
        value = by_name.pop(primal.name, None)
        if value is None:
            writer.renew(primal, Problem("missing"))
        else:
            _check(program, value, primal)
            writer.keep(primal, program.source(value))
    if by_name:
        raise NotPossible
    return writer.fix(fact, (), "Give the entries by position")


def _check(program: Program, node: ast.expr, primal: Primal) -> None:
    tree = tree_of(program, node)
    if tree is not None and mismatch(primal.treedefs[0], tree.treedef) is not None:
        raise NotPossible


def _one_container(
    program: Program, fact: RefsBound, primals: Sequence[Primal], node: ast.expr
) -> Fix:
    """`with_refs(**bars)` where `bars` is the entry of one argument that is a dict."""
    tree = tree_of(program, node)
    if tree is None or not tree.treedef.known():
        raise NotPossible
    fitting = [primal for primal in primals if mismatch(primal.treedefs[0], tree.treedef) is None]
    fitting = [primal for primal in fitting if primal.treedefs[0].known()]
    if len(fitting) != 1:
        raise NotPossible
    patch = Patch(program)
    application = application_of(program, fact)
    writer = EntryWriter(patch, application, can_precede(program, application.node))
    for primal in primals:
        if primal is fitting[0]:
            writer.keep(primal, program.source(node))
        else:
            writer.renew(primal, Problem("missing"))
    return writer.fix(fact, (), "Give the dict as the entry of its argument")


def unpack(program: Program, finding: Finding) -> Fix:
    """`with_refs(*bars)` for `with_refs(bars)` when `bars` holds an entry for each argument."""
    fact, primals, call = _call(program, finding)
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        raise NotPossible
    argument = call.args[0]
    given = given_entries(program, fact)
    treedef = given[0].treedef
    if treedef.kind not in ("tuple", "list") or len(treedef.children) != len(primals):
        raise NotPossible
    if any(
        mismatch(primal.treedefs[0], child) is not None
        for primal, child in zip(primals, treedef.children, strict=True)
    ):
        raise NotPossible
    patch = Patch(program)
    if isinstance(argument, (ast.Tuple, ast.List)):
        put_in(
            patch, application_of(program, fact), [program.source(item) for item in argument.elts]
        )
    else:
        patch.insert(program.span(argument).start, "*")
    return patch.fix("Unpack the entries: one for each argument", "safe", preferred=True)


def wrap(program: Program, finding: Finding) -> Fix:
    """Entries given flat, put into the structure of the arguments."""
    fact, primals, _ = _call(program, finding)
    given = given_entries(program, fact)
    texts = [entry.text for entry in given]
    if None in texts or any(entry.treedef.kind != "leaf" for entry in given):
        raise NotPossible
    leaves = [leaf for primal in primals for leaf in primal.leaves]
    if len(leaves) != len(given) or len(primals) == len(given):
        raise NotPossible
    if not all(primal.treedefs[0].known() for primal in primals):
        raise NotPossible
    patch = Patch(program)
    left = list(range(len(given)))
    sure: Applicability = "safe"
    new: list[str] = []
    order: list[int] = []
    call = fact.site.node
    assert isinstance(call, ast.Call)
    for primal in primals:
        size = len(primal.leaves)
        mine, left = left[:size], left[size:]
        treedef = primal.treedefs[0]
        if treedef.kind == "dict" and not any(child.children for child in treedef.children):
            mine, named = _by_name(mine, texts, [str(key) for key in _keys(treedef)])
            if not named:
                sure = "unsafe"
        order += mine
        waiting = [text for index in mine if (text := texts[index]) is not None]
        new.append(_built(patch, treedef, waiting, call))
    for leaf, index in zip(leaves, order, strict=True):
        one = Primal(call.args[0], leaf.position, 1, False, (leaf,), (_LEAF,))
        if problem_of(one, given[index]) is not None:
            raise NotPossible
    put_in(patch, application_of(program, fact), new)
    return patch.fix(
        "Put the entries into the structure of the arguments", sure, preferred=sure == "safe"
    )


_LEAF = TreeDef("leaf")


def _keys(treedef: TreeDef) -> tuple[object, ...]:
    return treedef.label if isinstance(treedef.label, tuple) else ()


def _by_name(
    indices: list[int], texts: Sequence[str | None], keys: list[str]
) -> tuple[list[int], bool]:
    """The entries in the order of the keys that they are named after; the flag tells whether they are."""
    found: list[int] = []
    for key in keys:
        named = [index for index in indices if key in (texts[index] or "")]
        if len(named) != 1 or named[0] in found:
            return indices, False
        found.append(named[0])
    return found, True


def _built(patch: Patch, treedef: TreeDef, texts: list[str], at: ast.expr) -> str:
    """A display of this structure; takes its leaves from the front of `texts`."""
    match treedef.kind:
        case "leaf":
            return texts.pop(0)
        case "none":
            return "None"
    parts = [_built(patch, child, texts, at) for child in treedef.children]
    match treedef.kind:
        case "tuple":
            return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
        case "list":
            return f"[{', '.join(parts)}]"
        case "dict":
            if not all(isinstance(key, str) for key in _keys(treedef)):
                raise NotPossible
            content = patch.program.text.content
            quote = '"' if content.count('"') >= content.count("'") else "'"
            keys = [f"{quote}{key}{quote}" for key in _keys(treedef)]
            return (
                "{"
                + ", ".join(f"{key}: {part}" for key, part in zip(keys, parts, strict=True))
                + "}"
            )
        case "namedtuple" | "custom":
            label = treedef.label
            name = class_name(patch, str(label[1]), at) if isinstance(label, tuple) else ""
            if name and (
                treedef.kind == "namedtuple" or len(field_names(patch, name)) == len(parts)
            ):
                return f"{name}({', '.join(parts)})"
    raise NotPossible


def complete(program: Program, finding: Finding) -> Fix:
    """Entries for the arguments that have none, and none for what is no argument."""
    fact, primals, call = _call(program, finding)
    if call.keywords:
        raise NotPossible
    given = given_entries(program, fact)
    if len(given) == len(primals) or not given or any(entry.text is None for entry in given):
        raise NotPossible
    patch = Patch(program)
    application = application_of(program, fact)
    writer = EntryWriter(patch, application, can_precede(program, application.node))
    few = len(given) < len(primals)
    chosen, others = _best(primals, given)
    chosen_given = [given[i] for i in chosen] if not few else list(given)
    places = chosen if few else range(len(primals))
    by_place = dict(zip(places, chosen_given, strict=True))
    for index, primal in enumerate(primals):
        if index in by_place:
            text = by_place[index].text
            assert text is not None
            writer.keep(primal, text)
        else:
            writer.renew(primal, Problem("missing"))
    title = "Add the entries that are missing" if few else "Drop the entries that are too many"
    if others:
        # More than one way to match them: the choice is a guess.
        writer.lost = True
    return writer.fix(fact, given if few and chosen == tuple(range(len(given))) else (), title)


def _best(primals: Sequence[Primal], given: Sequence[Given]) -> tuple[tuple[int, ...], bool]:
    """The best way to match the shorter of both in order, and whether there is another as good."""
    short, long = sorted((len(primals), len(given)))
    few = len(given) == short
    scored: list[tuple[float, tuple[int, ...]]] = []
    for choice in combinations(range(long), short):
        pairs = (
            [(primals[index], entry) for index, entry in zip(choice, given, strict=True)]
            if few
            else [(primal, given[index]) for index, primal in zip(choice, primals, strict=True)]
        )
        if any(problem_of(primal, entry) is not None for primal, entry in pairs):
            continue
        dropped = [entry for index, entry in enumerate(given) if not few and index not in choice]
        score = sum(_likeness(primal, entry) for primal, entry in pairs)
        score -= 5.0 * sum(any(one.refs for one in entry.entries) for entry in dropped)
        scored.append((score, choice))
        if len(scored) > 200:
            break
    if not scored:
        raise NotPossible
    scored.sort(key=lambda one: (-one[0], one[1]))
    return scored[0][1], len(scored) > 1 and scored[1][0] == scored[0][0]


def _likeness(primal: Primal, given: Given) -> float:
    score = 0.0
    if all(isinstance(one.value, Sentinel) for one in given.entries):
        score += 0.0 if primal.has_refs else 1.0
    elif primal.has_refs:
        score += 3.0
    name = primal.name or ""
    if name and given.text and name in given.text:
        score += 2.0
    return score


def skip_missing(program: Program, finding: Finding) -> Fix:
    """`DontWant()` for the arguments that have no entry."""
    fact, primals, call = _call(program, finding)
    given = given_entries(program, fact)
    if call.keywords or len(given) >= len(primals) or not given:
        raise NotPossible
    chosen, others = _best(primals, given)
    if others:
        raise NotPossible
    patch = Patch(program)
    application = application_of(program, fact)
    writer = EntryWriter(patch, application, can_precede(program, application.node))
    places = dict(zip(chosen, given, strict=True))
    for index, primal in enumerate(primals):
        if index in places:
            writer.keep(primal, places[index].text or "")
        elif not all(map(can_skip, primal.leaves)):
            raise NotPossible
        else:
            writer.skip(primal)
    return writer.fix(
        fact, (), "Add `DontWant()` for the arguments without an entry", preferred=False
    )


def _call(program: Program, finding: Finding) -> tuple[RefsBound, tuple[Primal, ...], ast.Call]:
    fact = binding_fact(program, finding)
    call = fact.site.node
    if not isinstance(call, ast.Call):
        raise NotPossible
    primals = one_by_one(primals_of(program, fact.vjp), fact.vjp.parameters)
    return fact, primals, call


REMEDIES = {
    "with-refs-structure": (by_position, unpack, wrap, complete, skip_missing),
}
