"""The entries that a `with_refs` call was given, one for each position, and how to write them again."""

from __future__ import annotations

import ast

from jaxref.domain.heap import State
from jaxref.domain.trees import Tree, TreeDef, flatten
from jaxref.domain.values import DictV, Instance, ListV
from jaxref.facts import Entry, RefsBound
from jaxref.fixes.edits import NotPossible
from jaxref.fixes.primals import is_path, is_sequence
from jaxref.fixes.program import Program
from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Given:
    """One entry: `text` writes it, None where it cannot be written by itself.

    `node` is its expression, None for one of a starred argument's.
    """

    text: str | None
    node: ast.expr | None
    treedef: TreeDef
    entries: tuple[Entry, ...]


def given_entries(program: Program, fact: RefsBound) -> tuple[Given, ...]:
    """The entries of a `with_refs` call without keywords. Raises `NotPossible` where they are not known."""
    call = fact.site.node
    binding = fact.binding
    if not isinstance(call, ast.Call) or call.keywords or binding.starred:
        raise NotPossible
    if binding.treedef.kind != "tuple" and call.args:
        raise NotPossible
    total = len(binding.treedef.children)
    stars = sum(isinstance(argument, ast.Starred) for argument in call.args)
    if stars > 1 or (not stars and total != len(call.args)):
        raise NotPossible
    found: list[Given] = []

    def add(text: str | None, node: ast.expr | None) -> None:
        position = len(found)
        prefix = f"args[{position}]"
        entries = tuple(
            entry
            for entry in binding.entries
            if entry.path == prefix or entry.path.startswith((prefix + "[", prefix + "."))
        )
        found.append(Given(text, node, binding.treedef.children[position], entries))

    for argument in call.args:
        if isinstance(argument, ast.Starred):
            inner = argument.value
            nameable = is_path(inner) and is_sequence(program, inner)
            for index in range(total - (len(call.args) - 1)):
                add(f"{program.source(inner)}[{index}]" if nameable else None, None)
        else:
            add(program.source(argument), argument)
    return tuple(found)


def tree_of(program: Program, node: ast.expr) -> Tree | None:
    """The tree that an expression's value is; None where nothing is known of it."""
    span = program.span(node)
    found = program.seen.get((type(node).__name__, span.start, span.end))
    if found is None:
        return None
    value, held = found
    state = State()
    if isinstance(value, (ListV, DictV, Instance)) and held is not None:
        state.objects[value.id] = held
    try:
        return flatten(value, state)
    except KeyError:
        # What containers inside of it held is not kept.
        return None
