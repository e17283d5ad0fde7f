"""A gradient ref that still holds something when it is bound again."""

from __future__ import annotations

import ast

from jaxref.facts import Entry, RefsBound, VjpApplied
from jaxref.fixes.application import application_of, check_bindable, put_in
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.given import given_entries
from jaxref.fixes.model import Fix
from jaxref.fixes.names import fresh
from jaxref.fixes.primals import is_path
from jaxref.fixes.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding

MOST_LINES = 4


def reset(program: Program, finding: Finding) -> Fix:
    """Set the gradient refs to zero before they are added to."""
    fact = finding.fact
    if not isinstance(fact, VjpApplied) or fact.binding is None or not fact.stale:
        raise NotPossible
    check_bindable(program, fact.vjp)
    call = fact.binding.site.node
    if not program.has(call) or not isinstance(call, ast.Call):
        raise NotPossible
    given = given_entries(program, RefsBound(fact.binding.site, fact.vjp, fact.binding, None))
    if any(
        one.node is not None and not is_path(one.node) and one.entries and one.entries[0].refs
        for one in given
    ):
        raise NotPossible
    host = can_precede(program, fact.site.node)
    if program.scope(host) is not program.scope(call):
        raise NotPossible
    patch = Patch(program)
    zeros = patch.jax("jax.numpy.zeros_like", host)
    entries: list[Entry] = [fact.binding.entries[index] for index in fact.stale]
    if len(entries) > MOST_LINES:
        raise NotPossible
    for entry in entries:
        if not entry.text:
            raise NotPossible
        text = program.in_quotes(entry.text)
        patch.before(host, f"{text}[...] = {zeros}({text})")
    words = program.in_quotes(entries[0].text) if len(entries) == 1 else "the gradient refs"
    return patch.fix(f"Set `{words}` to zero first", "safe", preferred=True)


def add_fresh(program: Program, finding: Finding) -> Fix:
    """Bind a fresh ref, and add what it holds to the one that was bound."""
    fact = finding.fact
    if not isinstance(fact, VjpApplied) or fact.binding is None:
        raise NotPossible
    check_bindable(program, fact.vjp)
    bound = RefsBound(fact.binding.site, fact.vjp, fact.binding, None)
    call = bound.site.node
    if not isinstance(call, ast.Call) or not program.has(call):
        raise NotPossible
    given = given_entries(program, bound)
    application = application_of(program, bound)
    if application.result is None or any(one.node is None for one in given):
        raise NotPossible
    host = can_precede(program, application.node)
    statement = program.statement(application.result)
    if statement is None or statement is not host:
        raise NotPossible
    patch = Patch(program)
    zeros = patch.jax("jax.numpy.zeros_like", host)
    new_ref = patch.jax("jax.new_ref", host)
    texts: list[str] = []
    names: set[str] = set()
    for one, leaf in zip(given, fact.vjp.leaves, strict=False):
        assert one.node is not None
        text = program.source(one.node)
        if one.treedef.kind != "leaf" or fact.vjp.treedef.children[len(texts)].kind != "leaf":
            raise NotPossible
        if not one.entries[0].refs or not leaf.written:
            texts.append(text)
            continue
        if not is_path(one.node):
            raise NotPossible
        name = fresh("fresh_ref", program.function_scope(host), names)
        names.add(name)
        patch.before(host, f"{name} = {new_ref}({zeros}({text}))")
        patch.after(statement, f"{text}[...] += {name}[...]")
        texts.append(name)
    if not names:
        raise NotPossible
    put_in(patch, application, texts)
    return patch.fix("Bind a fresh ref, and add its content afterwards", "safe", preferred=True)


REMEDIES = {
    "stale-gradient-ref": (reset,),
    "gradient-ref-not-fresh": (add_fresh,),
}
