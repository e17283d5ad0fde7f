"""`match` statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from jaxref.domain.heap import DictObject, join_states
from jaxref.domain.values import (
    UNKNOWN,
    ClassV,
    Const,
    DictV,
    Instance,
    ListV,
    RefValue,
    Tuple,
    Union,
    Value,
    Vjp,
)
from jaxref.interp import attributes
from jaxref.interp.evaluation import evaluate
from jaxref.interp.iteration import Items, items_of, list_from
from jaxref.interp.machine import Machine
from jaxref.interp.narrowing import is_instance
from jaxref.interp.operators import same_object
from jaxref.interp.truth import truth_of


def match_statement(
    m: Machine, node: ast.Match, execute: Callable[[Machine, Sequence[ast.stmt]], None]
) -> None:
    """Evaluate the cases that may match, in order, up to the first that must."""
    subject = evaluate(m, node.subject)
    mark = m.st.mark()
    ends = []
    frame = m.frame
    for case in node.cases:
        before = m.st.fork()
        verdict = _match(m, case.pattern, subject, node.subject)
        if verdict is False:
            m.st = before
            continue
        if case.guard is not None:
            guard = truth_of(m, evaluate(m, case.guard), case.guard)
            if guard is False:
                m.st = before
                continue
            verdict = verdict if guard else None
        if verdict is True:
            execute(m, case.body)
            ends.append(m.st)
            m.st = before
            m.st.live = False
            break
        frame.uncertain += 1
        try:
            execute(m, case.body)
        finally:
            frame.uncertain -= 1
        ends.append(m.st)
        m.st = before
    m.st = join_states([*ends, m.st], mark)


def _match(m: Machine, pattern: ast.pattern, value: Value, subject: ast.expr) -> bool | None:
    """Whether `value` matches; binds the names of the pattern."""
    if isinstance(value, Union) and not isinstance(pattern, ast.MatchAs):
        verdicts = {_match(m, pattern, option, subject) for option in value.options}
        return verdicts.pop() if len(verdicts) == 1 else None
    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            verdict = True if inner is None else _match(m, inner, value, subject)
            if name is not None and verdict is not False:
                m.bind(name, value)
            return verdict
        case ast.MatchValue(value=expression):
            wanted = evaluate(m, expression)
            if isinstance(wanted, Const) and isinstance(value, Const):
                return bool(wanted.value == value.value)
            # What compares with everything by its own rules, as arrays do, is not among these.
            built_in = isinstance(value, (RefValue, Vjp, Tuple, ListV, DictV))
            return False if built_in and isinstance(wanted, Const) else None
        case ast.MatchSingleton(value=constant):
            return same_object(value, Const(constant))
        case ast.MatchOr(patterns=patterns):
            verdicts_list = [_match(m, inner, value, subject) for inner in patterns]
            if True in verdicts_list:
                return True
            return None if None in verdicts_list else False
        case ast.MatchSequence(patterns=patterns):
            return _sequence(m, patterns, value, subject)
        case ast.MatchMapping(keys=keys, patterns=patterns, rest=rest):
            return _mapping(m, keys, patterns, rest, value, subject)
        case ast.MatchClass():
            return _class(m, pattern, value, subject)
        case ast.MatchStar(name=name):
            if name is not None:
                m.bind(name, value)
            return True
    return None


def _sequence(
    m: Machine, patterns: list[ast.pattern], value: Value, subject: ast.expr
) -> bool | None:
    if isinstance(value, (Const, DictV, Instance)):
        return False
    if not isinstance(value, (Tuple, ListV)):
        for inner in patterns:
            _match(
                m,
                inner.pattern if isinstance(inner, ast.MatchAs) and inner.pattern else inner,
                UNKNOWN,
                subject,
            )
        return None
    items = items_of(m, value, None).exact
    star = next((i for i, p in enumerate(patterns) if isinstance(p, ast.MatchStar)), None)
    if items is None:
        for inner in patterns:
            _match(m, inner, UNKNOWN, subject)
        return None
    fixed = len(patterns) - (star is not None)
    if len(items) < fixed or (star is None and len(items) != fixed):
        return False
    if star is None:
        verdicts = [_match(m, p, v, subject) for p, v in zip(patterns, items, strict=True)]
    else:
        after = len(patterns) - star - 1
        middle = list_from(m, Items(tuple(items[star : len(items) - after])))
        values = [*items[:star], middle, *items[len(items) - after :]]
        verdicts = [_match(m, p, v, subject) for p, v in zip(patterns, values, strict=True)]
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _mapping(
    m: Machine, keys: list[ast.expr], patterns: list[ast.pattern], rest: str | None, value: Value,
    subject: ast.expr,
) -> bool | None:  # fmt: skip
    if not isinstance(value, DictV):
        return None
    found = m.object(value.id)
    assert isinstance(found, DictObject)
    verdict: bool | None = True
    taken = []
    for key, inner in zip(keys, patterns, strict=True):
        constant = evaluate(m, key)
        if isinstance(constant, Const) and constant.value in found.entries:
            one = _match(m, inner, found.entries[constant.value], subject)
            taken.append(constant.value)
        else:
            one = None if found.open else False
        if one is False:
            return False
        verdict = one if one is None else verdict
    if rest is not None:
        left = {k: v for k, v in found.entries.items() if k not in taken}
        m.bind(rest, DictV(m.allocate(DictObject(left, found.open))))
    return verdict


def _class(m: Machine, pattern: ast.MatchClass, value: Value, subject: ast.expr) -> bool | None:
    kind = evaluate(m, pattern.cls)
    verdict = is_instance(value, kind, m)
    if verdict is False:
        return False
    names = list(kind.shape.fields) if isinstance(kind, ClassV) else []
    for inner, name in zip(pattern.patterns, names, strict=False):
        one = _match(m, inner, attributes.get_attribute(m, value, name, subject), subject)
        verdict = one if one is not True else verdict
    if len(pattern.patterns) > len(names):
        for inner in pattern.patterns[len(names) :]:
            _match(m, inner, value if len(pattern.patterns) == 1 else UNKNOWN, subject)
    for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        one = _match(m, inner, attributes.get_attribute(m, value, name, subject), subject)
        verdict = one if one is not True else verdict
    return verdict
