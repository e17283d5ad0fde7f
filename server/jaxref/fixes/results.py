"""What becomes of the value of an expression: thrown away, unpacked, named, indexed or else."""

from __future__ import annotations

import ast

from jaxref.fixes.program import Program
from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Discarded:
    """The value of an expression statement."""

    statement: ast.stmt


@dataclass(frozen=True, slots=True)
class Unpacked:
    """Assigned to a tuple of targets without a star."""

    statement: ast.Assign
    targets: tuple[ast.expr, ...]
    display: ast.Tuple | ast.List


@dataclass(frozen=True, slots=True)
class Named:
    """Assigned to one name or place."""

    statement: ast.Assign
    target: ast.expr


@dataclass(frozen=True, slots=True)
class Indexed:
    """One item of it is taken: `subscript` is the whole expression."""

    subscript: ast.Subscript
    index: int


@dataclass(frozen=True, slots=True)
class Whole:
    """Used as it is in a larger expression or statement."""


Use = Discarded | Unpacked | Named | Indexed | Whole


def use_of(program: Program, node: ast.expr) -> Use:
    """How the value of `node` is used."""
    parent = program.parents.get(node)
    match parent:
        case ast.Expr():
            return Discarded(parent)
        case ast.Await() | ast.Starred():
            return Whole()
        case ast.Subscript() if parent.value is node:
            index = constant_index(parent)
            return Indexed(parent, index) if index is not None else Whole()
        case ast.Assign() if len(parent.targets) == 1:
            target = parent.targets[0]
            if isinstance(target, (ast.Tuple, ast.List)):
                if any(isinstance(item, ast.Starred) for item in target.elts):
                    return Whole()
                return Unpacked(parent, tuple(target.elts), target)
            return Named(parent, target)
    return Whole()


def constant_index(node: ast.Subscript) -> int | None:
    """The index of `x[2]` or `x[-1]`; None for any other."""
    try:
        index = ast.literal_eval(node.slice)
    except (ValueError, SyntaxError):
        return None
    return index if type(index) is int else None


def is_read(program: Program, target: ast.expr) -> bool:
    """True unless every name in `target` is certainly never read."""
    for part in ast.walk(target):
        if isinstance(part, (ast.Attribute, ast.Subscript)):
            return True
        if isinstance(part, ast.Name):
            binder = program.scope(part).binder(part.id)
            if binder is None or part.id in binder.read:
                return True
            if part.id != "_" and isinstance(binder.node, (ast.Module, ast.ClassDef)):
                # Another module, or the next cell, may read it.
                if exported(program, part.id):
                    return True
    return False


def is_meant(program: Program, target: ast.expr) -> bool:
    """True for what is read, and for names that say what they hold even if nobody reads them yet."""
    named = any(
        isinstance(part, ast.Name) and not part.id.startswith("_") for part in ast.walk(target)
    )
    return named or is_read(program, target)


def exported(program: Program, name: str) -> bool:
    """True when the module lists the name in `__all__`."""
    for statement in program.tree.body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in statement.targets
        ):
            return any(
                isinstance(node, ast.Constant) and node.value == name
                for node in ast.walk(statement.value)
            )
    return False


def reads_of(program: Program, target: ast.Name) -> list[ast.Name]:
    """The places that may read what is bound to a name here."""
    binder = program.scope(target).binder(target.id)
    return list(binder.read.get(target.id, ())) if binder is not None else []
