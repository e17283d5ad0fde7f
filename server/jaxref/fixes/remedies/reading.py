"""A ref where its content is meant: read it."""

from __future__ import annotations

import ast

from jaxref.domain.values import Array, RefValue
from jaxref.facts import RefAccessed, RefMade, RefMisused
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.model import Fix
from jaxref.fixes.names import last_part
from jaxref.fixes.operands import (
    POSTFIX,
    has_value,
    is_ref_like,
    is_refs,
    operands,
    read,
    stored_value,
)
from jaxref.fixes.primals import is_path
from jaxref.fixes.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def read_content(program: Program, finding: Finding) -> Fix:
    """`[...]` behind each ref that the expression works on."""
    fact = finding.fact
    node = fact.site.node
    if not program.has(node) or isinstance(node, ast.AugAssign) or isinstance(fact, RefAccessed):
        raise NotPossible
    if isinstance(fact, RefMisused) and fact.how in ("augmented", "at", "call", "len", "truth"):
        raise NotPossible
    found: list[ast.expr] = []
    for operand in operands(node):
        if has_value(program, operand, is_ref_like):
            found.append(operand)
    expression = getattr(fact, "expression", None)
    if not found and isinstance(node, ast.expr) and has_value(program, node, is_ref_like):
        found.append(node)
    if not found and isinstance(expression, ast.expr) and program.has(expression):
        if has_value(program, expression, is_ref_like):
            found.append(expression)
    if not found:
        return _read_sequences(program, node)
    if isinstance(fact, RefMisused) and fact.how == "operator" and not _fit(fact):
        raise NotPossible
    patch = Patch(program)
    for one in found:
        read(patch, one)
    return patch.fix(_title(program, found), "safe", preferred=True)


def _fit(fact: RefMisused) -> bool:
    """False when the operands could not be combined if they were arrays."""
    left = fact.ref.shape
    right = fact.other.shape if isinstance(fact.other, (Array, RefValue)) else None
    if left is None or right is None or "@" in fact.what:
        return True
    return all(
        a is None or b is None or a == b or 1 in (a, b)
        for a, b in zip(reversed(left), reversed(right), strict=False)
    )


def _read_sequences(program: Program, node: ast.AST) -> Fix:
    """`jnp.stack([ref[...] for ref in refs])` for `jnp.stack(refs)`, `a, b = ref[...]` for `a, b = ref`."""
    patch = Patch(program)
    statement = program.statement(node)
    if isinstance(statement, ast.Assign) and has_value(program, statement.value, is_ref_like):
        read(patch, statement.value)
        return patch.fix(_title(program, [statement.value]), "safe", preferred=True)
    if not isinstance(node, ast.Call):
        raise NotPossible
    for argument in node.args:
        if is_refs(program, argument) and is_path(argument):
            patch.replace(argument, f"[ref[...] for ref in {program.source(argument)}]")
    return patch.fix("Read the values with `[...]`", "safe", preferred=True)


def _title(program: Program, found: list[ast.expr]) -> str:
    texts = list(dict.fromkeys(program.source(one) for one in found))
    if len(texts) == 1 and len(texts[0]) < 40 and "\n" not in texts[0]:
        return f"Read the value: `{texts[0]}[...]`"
    return "Read the values with `[...]`"


def read_stored(program: Program, finding: Finding) -> Fix:
    """`r[...] = other[...]` for `r[...] = other`."""
    fact = finding.fact
    if not isinstance(fact, RefAccessed):
        raise NotPossible
    value = stored_value(program, fact.site.node)
    if value is None or not has_value(program, value, is_ref_like):
        raise NotPossible
    given, place = fact.value, fact.place_shape
    if isinstance(given, RefValue) and place is not None and given.shape is not None:
        if given.shape != place or given.dtype != fact.ref.dtype:
            # What is read could not be stored either.
            raise NotPossible
    patch = Patch(program)
    read(patch, value)
    return patch.fix(_title(program, [value]), "safe", preferred=True)


def change_content(program: Program, finding: Finding) -> Fix:
    """`r[...] += v` for `r += v`."""
    fact = finding.fact
    if not isinstance(fact, RefMisused) or fact.how != "augmented":
        raise NotPossible
    statement = program.statement(fact.site.node) if program.has(fact.site.node) else None
    if not isinstance(statement, ast.AugAssign):
        raise NotPossible
    patch = Patch(program)
    read(patch, statement.target)
    return patch.fix(
        f"Change the content: `{program.words(statement.target)}[...]`", "safe", preferred=True
    )


def read_instead_of_call(program: Program, finding: Finding) -> Fix:
    """`r[...]` for `r()`."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefMisused) or fact.how != "call" or not isinstance(node, ast.Call):
        raise NotPossible
    if not program.has(node) or node.args or node.keywords or not isinstance(node.func, POSTFIX):
        raise NotPossible
    patch = Patch(program)
    patch.replace(node, f"{program.source(node.func)}[...]")
    return patch.fix(f"Read the value: `{program.words(node.func)}[...]`", "safe", preferred=True)


def read_truth(program: Program, finding: Finding) -> Fix:
    """The truth of the content of a scalar ref."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefMisused) or not isinstance(node, ast.expr) or not program.has(node):
        raise NotPossible
    if not has_value(program, node, is_ref_like) or fact.ref.shape is None:
        raise NotPossible
    if isinstance(program.parents.get(node), ast.BoolOp):
        # `ref and ref[...]` asks whether there is a ref.
        raise NotPossible
    patch = Patch(program)
    read(patch, node)
    if fact.ref.shape == ():
        return patch.fix(f"Ask for its value: `{program.words(node)}[...]`", "safe", preferred=True)
    if not isinstance(node, POSTFIX):
        raise NotPossible
    patch.insert(program.span(node).end, ".any()")
    return patch.fix("Ask whether any of its values is true", "unsafe")


def is_there(program: Program, finding: Finding) -> Fix:
    """`r is not None` where the ref itself is asked for."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefMisused) or not isinstance(node, POSTFIX) or not program.has(node):
        raise NotPossible
    parent = program.parents.get(node)
    if not has_value(program, node, is_ref_like):
        raise NotPossible
    if fact.ref.shape == () and not isinstance(parent, ast.BoolOp):
        raise NotPossible
    patch = Patch(program)
    if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        patch.replace(parent, f"{program.source(node)} is None")
    else:
        patch.insert(program.span(node).end, " is not None")
    return patch.fix("Ask whether there is a ref: `is not None`", "unsafe")


def copy_content(program: Program, finding: Finding) -> Fix:
    """`jax.new_ref(r[...])` for `jax.new_ref(r)`, and the like below `jax.tree.map`."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefMade) or not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    patch = Patch(program)
    first = node.args[0] if node.args else None
    if first is not None and has_value(program, first, is_ref_like):
        read(patch, first)
        return patch.fix(_title(program, [first]), "safe", preferred=True)
    if first is None or not is_path(first) or len(node.args) != 2:
        raise NotPossible
    callee = last_part(node.func)
    if callee not in ("map", "tree_map") or last_part(first) != "new_ref":
        raise NotPossible
    patch.replace(first, f"lambda ref: {program.source(first)}(ref[...])")
    return patch.fix("Read the values with `[...]`", "safe", preferred=True)


def update_in_place(program: Program, finding: Finding) -> Fix:
    """`r[i] += x` for the statement `r.at[i].add(x)`, `r[...].at[i].add(x)` for the expression."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefMisused) or not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Subscript(value=ast.Attribute(value=owner, attr="at"), slice=index),
                attr=name,
            ),
            args=[value],
            keywords=[],
        ):
            pass
        case _:
            raise NotPossible
    patch = Patch(program)
    statement = program.parents.get(node)
    operator = {"add": "+=", "subtract": "-=", "multiply": "*=", "mul": "*=", "divide": "/="}.get(
        name
    )
    text = program.source(owner)
    same = (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and program.source(statement.targets[0]) == text
    )
    if (
        operator is not None
        and isinstance(statement, (ast.Expr, ast.Assign))
        and (isinstance(statement, ast.Expr) or same)
    ):
        line = f"{text}[{program.source(index)}] {operator} {program.source(value)}"
        patch.replace(statement, line)
        return patch.fix(f"Update the ref in place: `{operator}`", "safe", preferred=True)
    read(patch, owner)
    return patch.fix(f"Update a copy of the value: `{text}[...]`", "safe", preferred=True)


REMEDIES = {
    "ref-as-array": (read_content, read_stored, change_content, read_instead_of_call),
    "ref-compared": (read_content,),
    "ref-iterated": (read_content,),
    "ref-in-debug-print": (read_content,),
    "ref-truthiness": (read_truth, is_there),
    "ref-of-ref": (copy_content,),
    "ref-at-method": (update_in_place,),
}
