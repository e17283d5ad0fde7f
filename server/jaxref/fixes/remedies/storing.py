"""What is stored into a ref: of the wrong type, or dependent on what is differentiated."""

from __future__ import annotations

import ast

from jaxref.domain.values import Array, Const
from jaxref.facts import RefAccessed
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.model import Fix
from jaxref.fixes.operands import stored_value
from jaxref.fixes.primals import is_path
from jaxref.fixes.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def stop_gradient(program: Program, finding: Finding) -> Fix:
    """Store `jax.lax.stop_gradient(...)` of the value."""
    fact = finding.fact
    if not isinstance(fact, RefAccessed):
        raise NotPossible
    value = stored_value(program, fact.site.node)
    if value is None or isinstance(value, (ast.Starred, ast.NamedExpr, ast.Yield, ast.Await)):
        raise NotPossible
    if any(trace.kind == "checkpoint" for trace in fact.closed):
        # The write would happen twice, which is another mistake.
        raise NotPossible
    patch = Patch(program)
    name = patch.jax("jax.lax.stop_gradient", value)
    if fact.action == "addupdate":
        _add_in_place(patch, fact.site.node, f"{name}({program.source(value)})")
    else:
        start, end = program.span(value)
        patch.insert(start, f"{name}(")
        patch.insert(end, ")")
    read = _is_read_inside(program, fact)
    title = "Store the value without its gradient: `stop_gradient`"
    if read:
        return patch.fix(f"{title} (what is read back is then constant)", "unsafe")
    return patch.fix(title, "safe", preferred=True)


def _add_in_place(patch: Patch, node: ast.AST, value: str) -> None:
    """`r[i] += v` for `r.addupdate(v, i)` and `jax.ref.addupdate(r, i, v)`.

    JAX adds nothing to a ref that is not differentiated in a function that is.
    """
    program = patch.program
    if not isinstance(node, ast.Call) or not isinstance(program.parents.get(node), ast.Expr):
        raise NotPossible
    if node.keywords:
        raise NotPossible
    if len(node.args) == 3:
        owner, index = program.source(node.args[0]), program.source(node.args[1])
        if index in ("()", "None"):
            index = "..."
    elif isinstance(node.func, ast.Attribute):
        owner = program.source(node.func.value)
        index = program.source(node.args[1]) if len(node.args) == 2 else "..."
    else:
        raise NotPossible
    patch.replace(node, f"{owner}[{index}] += {value}")


def _is_read_inside(program: Program, fact: RefAccessed) -> bool:
    """True when the differentiated function also reads the ref, whose content is then a constant to it."""
    traces = {(trace.place, trace.name) for trace in fact.taint}
    for other in program.facts:
        if (
            not isinstance(other, RefAccessed)
            or other.action != "read"
            or other.ref.id != fact.ref.id
        ):
            continue
        if other.site.node is fact.site.node:
            continue
        if program.has(other.site.node) and isinstance(
            program.statement(other.site.node), (ast.Assign, ast.AugAssign)
        ):
            statement = program.statement(other.site.node)
            if statement is program.statement(fact.site.node):
                # `r[...] = 0.9 * r[...] + ...` reads what was there before.
                continue
        if any((trace.place, trace.name) in traces for trace in other.site.traces):
            return True
    return False


def fit_type(program: Program, finding: Finding) -> Fix:
    """Store the value in the shape and dtype of its place."""
    fact = finding.fact
    if not isinstance(fact, RefAccessed):
        raise NotPossible
    node = fact.site.node
    value = stored_value(program, node)
    statement = program.statement(node) if program.has(node) else None
    if value is None or statement is None:
        raise NotPossible
    dtype, shape = fact.ref.dtype, fact.place_shape
    given = fact.value
    patch = Patch(program)
    literal = _literal(value, dtype)
    scalar_place = shape == ()
    if literal is not None and scalar_place:
        patch.replace(value, literal)
        return patch.fix(f"Store `{literal}`", "safe", preferred=True)
    if isinstance(statement, ast.AugAssign):
        return _cast_sum(patch, statement, fact)
    owner = _owner(program, node, statement)
    if owner is None:
        raise NotPossible
    text = program.source(owner)
    source = program.source(value)
    given_shape = (
        given.shape if isinstance(given, Array) else () if isinstance(given, Const) else None
    )
    given_dtype = given.dtype if isinstance(given, Array) else None
    same_dtype = given_dtype == dtype and isinstance(given, Array)
    if fact.full and given_shape == ():
        full_like = patch.jax("jax.numpy.full_like", value)
        patch.replace(value, f"{full_like}({text}, {literal or source})")
        keeps = _keeps_value(value, given_dtype, dtype)
        title = f"Store the value in every place: `full_like({text}, ...)`"
        return patch.fix(title, "safe" if keeps else "unsafe", preferred=keeps)
    if shape is None or given_shape is None or dtype is None:
        raise NotPossible
    made = source
    if given_shape != shape:
        if not _broadcasts(given_shape, shape):
            raise NotPossible
        target = f"{text}.shape" if fact.full else f"{_place(program, node, statement)}.shape"
        made = f"{patch.jax('jax.numpy.broadcast_to', value)}({made}, {target})"
        if not same_dtype and not isinstance(given, Const):
            made = f"{made}.astype({text}.dtype)"
        elif not same_dtype:
            raise NotPossible
        patch.replace(value, made)
        return patch.fix("Broadcast the value to the shape of its place", "safe", preferred=True)
    if isinstance(given, Array) and given.origin == "jax":
        atom = isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
        patch.replace(value, f"{source if atom else f'({source})'}.astype({text}.dtype)")
    else:
        patch.replace(value, f"{patch.jax('jax.numpy.asarray', value)}({source}, {text}.dtype)")
    widened = _keeps_value(value, given_dtype, dtype)
    title = f"Cast the value to the dtype of `{text}`"
    return patch.fix(title, "safe" if widened else "unsafe", preferred=widened)


def _cast_sum(patch: Patch, statement: ast.AugAssign, fact: RefAccessed) -> Fix:
    """`r[i] = (r[i] + v).astype(r.dtype)` for `r[i] += v`."""
    program = patch.program
    target = statement.target
    if not isinstance(target, ast.Subscript) or not is_path(target.value):
        raise NotPossible
    if not isinstance(fact.value, Array) or fact.value.shape != fact.place_shape:
        raise NotPossible
    operator = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}.get(type(statement.op))
    if operator is None:
        raise NotPossible
    text, value = program.source(target), program.source(statement.value)
    if not isinstance(
        statement.value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)
    ):
        value = f"({value})"
    dtype = f"{program.source(target.value)}.dtype"
    patch.replace(statement, f"{text} = ({text} {operator} {value}).astype({dtype})")
    return patch.fix(f"Cast the result to `{dtype}`", "unsafe")


def _keeps_value(value: ast.expr, given: str | None, wanted: str | None) -> bool:
    """True when a cast to `wanted` surely loses nothing but precision that was never asked for."""
    if given is None:
        try:
            number = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return False
        given = (
            "float32"
            if isinstance(number, float)
            else "int32"
            if type(number) is int
            else "complex"
        )
    if wanted is None:
        return False
    inexact = ("float", "bfloat", "complex")
    if given == wanted or (
        given.startswith(("int", "uint", "bool")) and wanted.startswith(inexact)
    ):
        return True
    return given == "float32" and wanted.startswith("complex")


def _literal(value: ast.expr, dtype: str | None) -> str | None:
    """A number literal in the form that the dtype has."""
    try:
        number = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return None
    if dtype is None or type(number) not in (int, float):
        return None
    if dtype.startswith("float32") and isinstance(number, int):
        return f"{float(number)!r}"
    if dtype.startswith("int32") and isinstance(number, float) and number.is_integer():
        return str(int(number))
    return None


def _owner(program: Program, node: ast.AST, statement: ast.stmt) -> ast.expr | None:
    """The expression of the ref that is written."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and len(node.args) < 3:
            owner = node.func.value
            return owner if is_path(owner) else None
        return node.args[0] if node.args and is_path(node.args[0]) else None
    if isinstance(node, ast.Subscript):
        return node.value if is_path(node.value) else None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Subscript) and is_path(target.value):
            return target.value
    return None


def _place(program: Program, node: ast.AST, statement: ast.stmt) -> str:
    if isinstance(node, ast.Subscript):
        return program.source(node)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        return program.source(statement.targets[0])
    raise NotPossible


def _broadcasts(given: tuple[int | None, ...], wanted: tuple[int | None, ...]) -> bool:
    if len(given) > len(wanted):
        return False
    tail = wanted[len(wanted) - len(given) :]
    return all(a in (1, b) for a, b in zip(given, tail, strict=True))


REMEDIES = {
    "tainted-ref-write": (stop_gradient,),
    "ref-store-type": (fit_type,),
}
