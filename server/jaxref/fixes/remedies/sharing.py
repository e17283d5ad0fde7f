"""Gradient refs that are shared or are parameters themselves, and sentinels that are no instances."""

from __future__ import annotations

import ast

from jaxref.domain.values import Sentinel
from jaxref.fixes.application import application_of, put_in
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.entry_writing import EntryWriter, Problem, binding_fact, put_together
from jaxref.fixes.given import given_entries
from jaxref.fixes.model import Fix
from jaxref.fixes.primals import one_by_one, primals_of
from jaxref.fixes.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def own_refs(program: Program, finding: Finding) -> Fix:
    """A fresh ref for each entry that is a primal, or that stands for another leaf, too."""
    fact = binding_fact(program, finding)
    primals = one_by_one(primals_of(program, fact.vjp), fact.vjp.parameters)
    given = given_entries(program, fact)
    if len(given) != len(primals):
        raise NotPossible
    patch = Patch(program)
    application = application_of(program, fact)
    writer = EntryWriter(patch, application, can_precede(program, application.node))
    parameters = {ref.id for leaf in fact.vjp.leaves for ref, _ in leaf.refs}
    taken: set[int] = set()
    for primal, entry in zip(primals, given, strict=True):
        ids = [ref.id for one in entry.entries for ref, _ in one.refs]
        again = bool(parameters & set(ids)) or bool(taken & set(ids)) or len(set(ids)) < len(ids)
        taken |= set(ids)
        if again:
            writer.renew(primal, Problem("shared"), every_leaf=True)
        elif entry.text is None:
            raise NotPossible
        else:
            writer.keep(primal, entry.text)
    if finding.fact is not fact or not writer.fresh:
        raise NotPossible
    return writer.fix(fact, given)


def instantiate(program: Program, finding: Finding) -> Fix:
    """`DontWant()` for the class `DontWant`."""
    fact = binding_fact(program, finding)
    call = fact.site.node
    assert isinstance(call, ast.Call)
    patch = Patch(program)
    given = given_entries(program, fact)
    texts: list[str] = []
    made: list[str] = []
    for entry in given:
        wrong = [one.value for one in entry.entries if _is_class(one.value)]
        if entry.text is None:
            raise NotPossible
        if not wrong:
            texts.append(entry.text)
        elif entry.treedef.kind == "leaf" and isinstance(wrong[0], Sentinel):
            meant = MEANT.get(wrong[0].kind)
            text = f"{patch.jax(f'jax.ad.{meant}', call)}()" if meant else f"{entry.text}()"
            texts.append(text)
            made.append(meant or wrong[0].kind)
        else:
            return _instantiate_inside(program, call)
    put_in(patch, application_of(program, fact), put_together(call, given, texts))
    return patch.fix(f"Make an instance: `{made[0]}()`", "safe", preferred=True)


MEANT = {"GradRef": "GradValue", "DidntWant": "DontWant"}
"""What is meant by a placeholder that JAX puts into results, given as an entry."""


def _is_class(value: object) -> bool:
    return isinstance(value, Sentinel) and not value.instance


def _instantiate_inside(program: Program, call: ast.Call) -> Fix:
    patch = Patch(program)
    for node in ast.walk(call):
        if isinstance(node, (ast.Name, ast.Attribute)) and program.value(node):
            parent = program.parents.get(node)
            called = isinstance(parent, ast.Call) and parent.func is node
            values = program.value(node)
            if any(isinstance(value, Sentinel) and value.kind in MEANT for value in values):
                raise NotPossible
            if all(_is_class(value) for value in values) and not called:
                patch.insert(program.span(node).end, "()")
    return patch.fix("Make instances of the sentinel classes", "safe", preferred=True)


REMEDIES = {
    "gradient-ref-aliases-primal": (own_refs,),
    "shared-gradient-ref": (own_refs,),
    "uninstantiated-sentinel": (instantiate,),
}
