"""Binding targets: names, attributes, items, unpacking."""

from __future__ import annotations

import ast

from jaxref.domain.values import UNKNOWN, Instance, RefValue, Value, Vjp
from jaxref.facts import CapturedRefReplaced
from jaxref.interp import attributes, subscripts
from jaxref.interp.evaluation import evaluate
from jaxref.interp.iteration import Items, items_of, list_from
from jaxref.interp.machine import Machine
from jaxref.jaxmodel import refs
from jaxref.quick_dataclasses import replace


def assign(m: Machine, target: ast.expr, value: Value, source: ast.expr | None) -> None:
    """Bind `target` to `value`; `source` is the expression it came from, None inside unpacking."""
    if isinstance(target, ast.Name):
        _assign_name(m, target, value, source)
    elif isinstance(target, ast.Attribute):
        owner = evaluate(m, target.value)
        if isinstance(value, RefValue):
            _name_ref(m, value, m.source(target))
        if isinstance(owner, Instance):
            note_replaced(
                m, m.object(owner.id).names.get(target.attr), value, owner.id, target.attr, target
            )
        if isinstance(value, RefValue) and source is not None:
            refs.note_copied(m, value, target, source)
        attributes.set_attribute(m, owner, target.attr, value, target)
    elif isinstance(target, ast.Subscript):
        subscripts.store(m, target, value, source)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(m, target, value, source)
    elif isinstance(target, ast.Starred):
        assign(m, target.value, value, None)


def _name_ref(m: Machine, value: RefValue, name: str) -> None:
    """The first name a ref is given is what messages call it."""
    found = m.ref_object(value)
    if found.name is None:
        m.st.put(value.id, replace(found, name=name))


def note_replaced(
    m: Machine, old: Value | None, new: Value, holder: int, name: str, node: ast.expr
) -> None:
    """Remember that a name which a jitted function closed over for a ref now stands for another one.

    It is stated when that function is called again: only then the old ref is used in its place.
    """
    if (
        isinstance(old, RefValue)
        and isinstance(new, RefValue)
        and old.id != new.id
        and not m.traces
    ):
        trace = m.notes.get(("captured", old.id, holder, name))
        if trace is not None:
            words = name if isinstance(node, ast.Name) else m.source(node)
            fact = CapturedRefReplaced(m.site(node), words, trace, m.ref_object(old))
            m.notes.changing("replaced", list).append(fact)


def _assign_name(m: Machine, target: ast.Name, value: Value, source: ast.expr | None) -> None:
    if isinstance(value, RefValue):
        _name_ref(m, value, target.id)
        holder = m.frame.module.scope if target.id in m.frame.globals else m.frame.scope
        old = m.scope(holder).names.get(target.id)
        note_replaced(m, old, value, holder, target.id, target)
        if source is not None:
            refs.note_copied(m, value, target, source)
    elif not isinstance(value, Vjp):
        m.bind(target.id, value)
        return
    elif isinstance(source, ast.Call):
        m.notes[("named", value.id)] = True
    m.bind(target.id, value)
    m.see(target, value)


def _unpack(
    m: Machine, target: ast.Tuple | ast.List, value: Value, source: ast.expr | None
) -> None:
    targets = target.elts
    sources: list[ast.expr | None] = [None] * len(targets)
    if isinstance(source, (ast.Tuple, ast.List)) and len(source.elts) == len(targets):
        # `a, b = x, y`: each target has an expression of its own.
        sources = [None if isinstance(part, ast.Starred) else part for part in source.elts]
    items = items_of(m, value, target)
    star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
    if items.exact is None:
        for index, part in enumerate(targets):
            if isinstance(part, ast.Starred):
                assign(m, part.value, list_from(m, Items(None, items.each)), None)
            else:
                assign(m, part, items.item(index) if star is None else items.each, None)
        return
    found = items.exact
    if star is None:
        for index, part in enumerate(targets):
            one = found[index] if len(found) == len(targets) else UNKNOWN
            assign(m, part, one, sources[index])
        return
    after = len(targets) - star - 1
    if len(found) < star + after:
        for part in targets:
            assign(m, part, UNKNOWN, None)
        return
    for index in range(star):
        assign(m, targets[index], found[index], None)
    middle = found[star : len(found) - after]
    starred = targets[star]
    assert isinstance(starred, ast.Starred)
    assign(m, starred.value, list_from(m, Items(tuple(middle))), None)
    for index in range(after):
        assign(m, targets[star + 1 + index], found[len(found) - after + index], None)
