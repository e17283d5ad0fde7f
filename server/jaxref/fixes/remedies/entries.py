"""Entries of `with_refs` that JAX rejects or misreads: entries that fit the primals instead."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxref.domain.trees import mismatch
from jaxref.domain.values import Array, Const, RefValue, Sentinel, ShapeStruct, Value
from jaxref.facts import Entry, PrimalLeaf, RefsBound, VjpApplied
from jaxref.fixes.application import (
    Application,
    application_of,
    gradients_use,
    needs_none,
    put_in,
    rewrite_result,
)
from jaxref.fixes.binding import Entries, Gradient, Plan, entries_for
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.given import Given, given_entries
from jaxref.fixes.model import Applicability, Fix
from jaxref.fixes.names import fresh
from jaxref.fixes.primals import Primal, is_key, is_path, is_whole_number, one_by_one, primals_of
from jaxref.fixes.program import Program
from jaxref.fixes.reshaping import converted

if TYPE_CHECKING:
    from jaxref.rules.model import Finding


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one entry. `lost`: something was to be accumulated into it."""

    kind: str
    lost: bool = False


def problem_of(primal: Primal, given: Given, fact: RefsBound) -> Problem | None:
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
        if isinstance(value, (Array, ShapeStruct)):
            return Problem("array", lost=True)
        if isinstance(value, (Sentinel, Const)):
            return Problem("value")
        return None
    if not entry.refs and isinstance(value, (Array, ShapeStruct)):
        return Problem("array", lost=True)
    if not entry.refs and isinstance(value, Const) and isinstance(value.value, (int, float)):
        return Problem("array", lost=not isinstance(value.value, bool))
    if len(entry.refs) == 1 and _types_differ(leaf, entry.refs[0][0]):
        return Problem("type", lost=True)
    return None


def _types_differ(leaf: PrimalLeaf, ref: RefValue) -> bool:
    value: Value = leaf.refs[0][0] if len(leaf.refs) == 1 else leaf.value
    if isinstance(value, Const) and isinstance(value.value, (float, complex)):
        shape, dtype = (), "float32" if isinstance(value.value, float) else "complex64"
    elif isinstance(value, (Array, RefValue)):
        shape, dtype = value.shape, value.dtype  # type: ignore[assignment]
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


# -- the remedies --------------------------------------------------------------------------------------


def mend(program: Program, finding: Finding) -> Fix:
    """Give every entry that is wrong the right form, and a fresh ref where one is needed."""
    fact = _binding_fact(program, finding)
    return _mended(program, fact, _wrong(finding))


def skip_instead(program: Program, finding: Finding) -> Fix:
    """`DontWant()` for refs whose entry is no ref."""
    fact = _binding_fact(program, finding)
    primals, given = _paired(program, fact)
    patch = Patch(program)
    application = application_of(program, fact)
    texts: list[str] = []
    changed: list[Gradient] = []
    names: list[str] = []
    wrong = _wrong(finding)
    for primal, entry in zip(primals, given, strict=True):
        problem = wrong(primal, entry, fact)
        if problem is None:
            if entry.text is None:
                raise NotPossible
            texts.append(entry.text)
            changed.append(Gradient(primal.first, 1, None, False))
            continue
        if problem.kind not in ("value", "structure", "array"):
            raise NotPossible
        if any(leaf.is_ref and (leaf.scanned or leaf.written) for leaf in primal.leaves):
            raise NotPossible
        plan: Callable[[PrimalLeaf], Plan] = (
            (lambda leaf: "dont")
            if primal.only_refs or (not primal.has_refs and problem.kind == "structure")
            else (lambda leaf: "dont" if leaf.is_ref else "value")
        )
        texts.append(entries_for(patch, [primal], application.node, plan=plan).texts[0])
        changed.append(Gradient(primal.first, 1, "", False))
        names.append(
            f"`{program.source(primal.node)}`" if primal.item is None else f"args[{primal.first}]"
        )
    use = gradients_use(program, application)
    if use is None or not needs_none(program, use, changed):
        raise NotPossible
    put_in(patch, application, _starred_again(fact.site.node, given, texts))
    return patch.fix(f"Skip the gradient of {' and '.join(names)}", "unsafe")


Wrong = Callable[[Primal, Given, RefsBound], Problem | None]


def _wrong(finding: Finding) -> Wrong:
    del finding
    return problem_of


def _binding_fact(program: Program, finding: Finding) -> RefsBound:
    """The call of `with_refs` that is to blame."""
    fact = finding.fact
    if isinstance(fact, VjpApplied):
        binding = fact.binding
        if binding is None or not program.has(binding.site.node):
            raise NotPossible
        fact = RefsBound(binding.site, fact.vjp, binding, None)
    assert isinstance(fact, RefsBound)
    if program.before(0, 11) or fact.vjp.checkpointed or fact.earlier is not None:
        raise NotPossible
    for other in program.facts:
        # All VJPs that are bound there must be alike.
        if isinstance(other, RefsBound) and other.site.node is fact.site.node:
            if other.vjp.call is not fact.vjp.call or other.vjp.treedef != fact.vjp.treedef:
                raise NotPossible
    return fact


def _paired(program: Program, fact: RefsBound) -> tuple[tuple[Primal, ...], tuple[Given, ...]]:
    primals = one_by_one(primals_of(program, fact.vjp), fact.vjp.parameters)
    given = given_entries(program, fact)
    if len(given) != len(primals):
        raise NotPossible
    return primals, given


def _mended(program: Program, fact: RefsBound, wrong: Wrong) -> Fix:
    primals, given = _paired(program, fact)
    patch = Patch(program)
    application = application_of(program, fact)
    host = can_precede(program, application.node)
    writer = _Writer(patch, application, host)
    for primal, entry in zip(primals, given, strict=True):
        writer.add(primal, entry, wrong(primal, entry, fact))
    return writer.fix(fact, given)


class _Writer:
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
        self.texts.append(text)
        self.gradients.append(Gradient(primal.first, 1, None, False))

    def renew(self, primal: Primal, problem: Problem) -> None:
        def plan(leaf: PrimalLeaf) -> Plan:
            return "ref" if leaf.is_ref or (problem.lost and not is_whole_number(leaf)) else "value"

        # Names must not clash with those of the entries before.
        made = entries_for(self.patch, [primal], self.host, plan=plan, taken=self._names())
        self.before += made.statements
        self.texts.append(made.texts[0])
        self.gradients += made.gradients
        self.fresh += len(made.statements)
        self.lost |= problem.lost

    def _names(self) -> frozenset[str]:
        return frozenset(line.split(" = ")[0] for line in self.before)

    def _fill(self, primal: Primal, given: Given) -> bool:
        """Accumulate into a ref made of the array that was given, and put the sum back there."""
        program = self.patch.program
        node = given.node
        if node is None or not is_path(node) or primal.treedefs[0].kind != "leaf":
            return False
        leaf, entry = primal.leaves[0], given.entries[0]
        if not isinstance(entry.value, Array) or entry.value.origin == "python" or is_key(leaf):
            return False
        if _types_differ(leaf, RefValue(0, entry.value.shape, entry.value.dtype)):
            return False
        statement = program.statement(self.application.result or self.application.node)
        if not isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return False
        if statement is not self.host and self.application.result is None:
            return False
        name = fresh(f"{_short(node)}_ref", program.function_scope(self.host), set(self._names()))
        text = program.source(node)
        self.before.append(f"{name} = {self.patch.jax('jax.new_ref', self.host)}({text})")
        self.after.append(f"{text} = {name}[...]")
        self.filled.append(text)
        self.keep(primal, name)
        return True

    def fix(self, fact: RefsBound, given: Sequence[Given]) -> Fix:
        patch, application = self.patch, self.application
        texts = _starred_again(fact.site.node, given, self.texts)
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
        return patch.fix(self._title(), sure, preferred=True)

    def _title(self) -> str:
        if self.fresh > 1:
            return "Bind fresh gradient refs"
        if self.fresh == 1:
            return "Bind a fresh gradient ref"
        if self.filled:
            return f"Accumulate into a ref made of `{self.filled[0]}`"
        return "Give the entries the structure of the arguments"


def _short(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr.strip("_")
        case ast.Subscript(slice=ast.Constant(value=str(key))) if key.isidentifier():
            return key
        case ast.Subscript():
            return _short(node.value)
    return "grad"


def _starred_again(call: ast.AST, given: Sequence[Given], texts: Sequence[str]) -> list[str]:
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


REMEDIES = {
    "ref-gradient-as-value": (mend, skip_instead),
    "gradient-ref-type": (mend,),
    "with-refs-structure": (mend, skip_instead),
    "dont-want-written-ref": (mend,),
    "dont-want-ref-in-scan": (mend,),
    "array-as-gradient-ref": (mend,),
}
