"""What is wrong with the entries of `with_refs`, and entries written one after the other instead."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxref.domain.trees import mismatch
from jaxref.domain.values import Array, Const, RefValue, Sentinel, Shape, ShapeStruct, Value
from jaxref.facts import Entry, PrimalLeaf, RefsBound, VjpApplied
from jaxref.fixes.application import (
    Application,
    check_bindable,
    put_in,
    rewrite_result,
)
from jaxref.fixes.binding import Entries, Gradient, Plan, entries_for
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.given import Given, given_entries
from jaxref.fixes.model import Applicability, Fix
from jaxref.fixes.names import fresh
from jaxref.fixes.primals import (
    Primal,
    is_key,
    is_path,
    is_whole_number,
    means_the_same,
    one_by_one,
    primals_of,
)
from jaxref.fixes.program import Program
from jaxref.fixes.reshaping import converted
from jaxref.quick_dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one entry. `lost`: something was to be accumulated into it."""

    kind: str
    lost: bool = False


def problem_of(primal: Primal, given: Given) -> Problem | None:
    """What is wrong with an entry, if anything certainly is."""
    if mismatch(primal.treedefs[0], given.treedef) is not None:
        return Problem("structure", any(entry.refs for entry in given.entries))
    if len(primal.leaves) != len(given.entries):
        return None
    worst: Problem | None = None
    for leaf, entry in zip(primal.leaves, given.entries, strict=True):
        found = _leaf_problem(leaf, entry)
        if found is not None and (worst is None or found.lost):
            worst = found
    return worst


def _leaf_problem(leaf: PrimalLeaf, entry: Entry) -> Problem | None:
    value = entry.value
    if leaf.is_ref and not entry.refs:
        if isinstance(value, Sentinel) and value.instance and value.kind == "DontWant":
            if leaf.scanned or (
                leaf.written and not all(o.kind == "no_grad_no_remat" for _, o in leaf.refs)
            ):
                return Problem("skipped")
            return None
        if isinstance(value, (Array, ShapeStruct)) or _is_number(value):
            return Problem("array", lost=True)
        if isinstance(value, (Sentinel, Const)):
            return Problem("value")
        return None
    if not entry.refs and isinstance(value, (Array, ShapeStruct)):
        return Problem("array", lost=True)
    if not entry.refs and _is_number(value):
        return Problem("array", lost=True)
    if not entry.refs and isinstance(value, Const) and isinstance(value.value, bool):
        return Problem("value")
    if len(entry.refs) == 1 and _types_differ(leaf, entry.refs[0][0]):
        return Problem("type", lost=True)
    return None


def _is_number(value: Value) -> bool:
    return isinstance(value, Const) and type(value.value) in (int, float, complex)


def _types_differ(leaf: PrimalLeaf, ref: RefValue) -> bool:
    value: Value = leaf.refs[0][0] if len(leaf.refs) == 1 else leaf.value
    shape: Shape | None = ()
    dtype: str | None = None
    if isinstance(value, Const) and isinstance(value.value, (float, complex)):
        dtype = "float32" if isinstance(value.value, float) else "complex64"
    elif isinstance(value, (Array, RefValue)):
        shape, dtype = value.shape, value.dtype
    else:
        return False
    if isinstance(value, Array) and is_whole_number(leaf):
        return False
    if dtype is not None and ref.dtype is not None and dtype != ref.dtype:
        return True
    if shape is None or ref.shape is None:
        return False
    return len(shape) != len(ref.shape) or any(
        a is not None and b is not None and a != b for a, b in zip(shape, ref.shape, strict=True)
    )


def binding_fact(program: Program, finding: Finding) -> RefsBound:
    """The call of `with_refs` that is to blame."""
    fact = finding.fact
    if isinstance(fact, VjpApplied):
        binding = fact.binding
        if binding is None or not program.has(binding.site.node):
            raise NotPossible
        fact = RefsBound(binding.site, fact.vjp, binding, None)
    assert isinstance(fact, RefsBound)
    check_bindable(program, fact.vjp)
    if fact.earlier is not None or program.before(0, 11):
        # Before, `with_refs` did not check its entries, and took some for another thing.
        raise NotPossible
    mine = _kinds(fact)
    for other in program.facts:
        # All VJPs and all entries that get there must be alike.
        if isinstance(other, RefsBound) and other.site.node is fact.site.node:
            if other.vjp.call is not fact.vjp.call or other.vjp.treedef != fact.vjp.treedef:
                raise NotPossible
            if _kinds(other) != mine:
                raise NotPossible
    return fact


def _kinds(fact: RefsBound) -> list[tuple[str, bool, str]]:
    """What each entry is, as far as a remedy depends on it."""
    return [(entry.path, bool(entry.refs), _kind(entry.value)) for entry in fact.binding.entries]


def _kind(value: Value) -> str:
    if isinstance(value, Sentinel):
        return f"{value.kind} {value.instance}"
    if isinstance(value, Array) or _is_number(value):
        return "array"
    return type(value).__name__


def paired(program: Program, fact: RefsBound) -> tuple[tuple[Primal, ...], tuple[Given, ...]]:
    """The primals, one by one, and their entries. Raises `NotPossible` where their numbers differ."""
    primals = one_by_one(primals_of(program, fact.vjp), fact.vjp.parameters)
    given = given_entries(program, fact)
    if len(given) != len(primals):
        raise NotPossible
    return primals, given


class EntryWriter:
    """Writes one entry after the other, and notes what comes with them."""

    def __init__(self, patch: Patch, application: Application, host: ast.stmt) -> None:
        self.patch = patch
        self.application = application
        self.host = host
        self.texts: list[str] = []
        self.gradients: list[Gradient] = []
        self.before: list[str] = []
        self.after: list[str] = []
        self.fresh = 0
        self.lost = False
        self.filled: list[str] = []

    def add(self, primal: Primal, given: Given, problem: Problem | None) -> None:
        """Keep an entry that is right, and make the best of one that is not."""
        if problem is None:
            if given.text is None:
                raise NotPossible
            self.keep(primal, given.text)
            return
        if problem.kind == "structure":
            text = converted(self.patch, primal, given, self.host)
            if text is not None:
                self.keep(primal, text)
                return
        if problem.kind == "array" and self._fill(primal, given):
            return
        self.renew(primal, problem)

    def keep(self, primal: Primal, text: str) -> None:
        """Bind an entry that the program has."""
        self.texts.append(text)
        self.gradients.append(Gradient(primal.first, 1, None, False))

    def renew(self, primal: Primal, problem: Problem, *, every_leaf: bool = False) -> None:
        """Bind fresh refs where they are needed, and values otherwise; or refs for every leaf."""

        def plan(leaf: PrimalLeaf) -> Plan:
            if leaf.is_ref or ((problem.lost or every_leaf) and not is_whole_number(leaf)):
                return "ref"
            return "value"

        # Names must not clash with those of the entries before.
        made = entries_for(self.patch, [primal], self.host, plan=plan, taken=self._names())
        self.before += made.statements
        self.texts.append(made.texts[0])
        self.gradients += made.gradients
        self.fresh += len(made.statements)
        self.lost |= problem.lost

    def skip(self, primal: Primal) -> None:
        """Say that the gradients of a primal are not wanted."""
        made = entries_for(self.patch, [primal], self.host, plan=dont)
        self.texts.append(made.texts[0])
        self.gradients.append(Gradient(primal.first, 1, None, False))

    def _names(self) -> frozenset[str]:
        return frozenset(line.split(" = ")[0] for line in self.before)

    def _fill(self, primal: Primal, given: Given) -> bool:
        """Accumulate into a ref made of the array that was given, and put the sum back there."""
        program = self.patch.program
        node = given.node
        if node is None or not is_path(node) or any(map(is_key, primal.leaves)):
            return False
        text = program.source(node)
        if isinstance(node, ast.Subscript) and _is_ref(program, node.value):
            if not isinstance(node.slice, ast.Constant) or node.slice.value is not Ellipsis:
                return False
            # The content of a ref was given: the ref itself is meant.
            self.keep(primal, program.source(node.value))
            self.filled.append(program.source(node.value))
            return True
        statement = program.statement(self.application.result or self.application.node)
        if not isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return False
        if self.application.result is None:
            # The sum is there after the application, wherever that is.
            return False
        new_ref = self.patch.jax("jax.new_ref", self.host)
        values = [entry.value for entry in given.entries]
        name = fresh(f"{_short(node)}_ref", program.function_scope(self.host), set(self._names()))
        if primal.treedefs[0].kind != "leaf":
            if not all(isinstance(value, Array) for value in values) or not self._fit(
                primal, given
            ):
                return False
            tree_map = self.patch.jax("jax.tree.map", self.host)
            self.before.append(f"{name} = {tree_map}({new_ref}, {text})")
            self.after.append(f"{text} = {tree_map}(lambda ref: ref[...], {name})")
        elif isinstance(values[0], Array) and values[0].origin != "python":
            if not self._fit(primal, given):
                return False
            self.before.append(f"{name} = {new_ref}({text})")
            place = f"{text}[...]" if values[0].origin == "numpy" and values[0].shape else text
            self.after.append(f"{place} = {name}[...]")
        elif isinstance(values[0], Array) or _is_number(values[0]):
            if not means_the_same(program, primal.node, self.host, program.span(self.host).start):
                return False
            full_like = self.patch.jax("jax.numpy.full_like", self.host)
            self.before.append(
                f"{name} = {new_ref}({full_like}({program.source(primal.node)}, {text}))"
            )
            self.after.append(f"{text} = {name}[...]")
        else:
            return False
        self.filled.append(text)
        self.keep(primal, name)
        return True

    def _fit(self, primal: Primal, given: Given) -> bool:
        return len(primal.leaves) == len(given.entries) and not any(
            isinstance(entry.value, Array)
            and _types_differ(leaf, RefValue(0, entry.value.shape, entry.value.dtype))
            for leaf, entry in zip(primal.leaves, given.entries, strict=True)
        )

    def fix(
        self,
        fact: RefsBound,
        given: Sequence[Given],
        title: str = "",
        *,
        preferred: bool = True,
    ) -> Fix:
        """The fix with all entries; `given` are those of the call where the first ones stand for them."""
        patch, application = self.patch, self.application
        texts = self.texts
        if given:
            # Entries added behind those of the call leave its starred argument as it is.
            count = len(given)
            texts = [*put_together(fact.site.node, given, texts[:count]), *texts[count:]]
        entries = Entries(tuple(self.before), tuple(texts), tuple(self.gradients), None)
        sure: Applicability = "unsafe" if self.lost else "safe"
        if application.result is None:
            for line in self.before:
                patch.before(self.host, line)
            put_in(patch, application, texts)
            if any(gradient.accumulated is not None for gradient in self.gradients):
                sure = "unsafe"
        else:
            rewrite_result(patch, application, entries, self.host)
        statement = patch.program.statement(application.result or application.node)
        assert statement is not None
        for line in self.after:
            patch.after(statement, line)
        return patch.fix(title or self._title(), sure, preferred=preferred and sure == "safe")

    def _title(self) -> str:
        if self.fresh > 1:
            return "Bind fresh gradient refs"
        if self.fresh == 1:
            return "Bind a fresh gradient ref"
        if self.filled:
            return f"Accumulate into a ref made of `{self.filled[0]}`"
        return "Give the entries the structure of the arguments"


def dont(leaf: PrimalLeaf) -> Plan:
    """No gradient, whatever the leaf is."""
    del leaf
    return "dont"


def _is_ref(program: Program, node: ast.expr) -> bool:
    values = program.value(node)
    return bool(values) and all(isinstance(value, RefValue) for value in values)


def _short(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute(value=ast.Name(id=owner), attr="grad" | "grads" | "gradient") if (
            owner != "self"
        ):
            return f"{owner}_{node.attr}"
        case ast.Attribute():
            return node.attr.strip("_")
        case ast.Subscript(slice=ast.Constant(value=str(key))) if key.isidentifier():
            return key
        case ast.Subscript():
            return _short(node.value)
    return "grad"


def put_together(call: ast.AST, given: Sequence[Given], texts: Sequence[str]) -> list[str]:
    """The texts with those of an unchanged starred argument put together again."""
    assert isinstance(call, ast.Call)
    result: list[str] = []
    position = 0
    for argument in call.args:
        if not isinstance(argument, ast.Starred):
            result.append(texts[position])
            position += 1
            continue
        count = len(given) - (len(call.args) - 1)
        part = range(position, position + count)
        if all(texts[i] == given[i].text for i in part):
            first = given[position].text if count else None
            whole = first.rpartition("[")[0] if first else ""
            result += [f"*{whole}"] if whole else []
        else:
            result += [texts[i] for i in part]
        position += count
    return result
