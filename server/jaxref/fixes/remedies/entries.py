"""Entries of `with_refs` that JAX rejects or misreads: entries that fit the primals instead."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from jaxref.domain.heap import RefObject
from jaxref.domain.trees import mismatch
from jaxref.domain.values import Array, Const, RefValue, Sentinel, Shape, ShapeStruct, Value
from jaxref.facts import Entry, PrimalLeaf, RefsBound, VjpApplied
from jaxref.fixes.application import (
    Application,
    application_of,
    check_bindable,
    gradients_use,
    needs_none,
    put_in,
    rewrite_result,
)
from jaxref.fixes.binding import Entries, Gradient, Plan, entries_for, skipping
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.given import Given, given_entries
from jaxref.fixes.model import Applicability, Fix
from jaxref.fixes.names import fresh
from jaxref.fixes.primals import (
    Primal,
    can_skip,
    is_key,
    is_path,
    is_whole_number,
    means_the_same,
    one_by_one,
    primals_of,
)
from jaxref.fixes.program import Program
from jaxref.fixes.reshaping import converted
from jaxref.fixes.scopes import Scopes

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


# -- the remedies --------------------------------------------------------------------------------------


def mend(program: Program, finding: Finding) -> Fix:
    """Give every entry that is wrong the right form, and a fresh ref where one is needed."""
    fact = binding_fact(program, finding)
    return _mended(program, fact)


def skip_instead(program: Program, finding: Finding) -> Fix:
    """`DontWant()` for refs whose entry is no ref."""
    fact = binding_fact(program, finding)
    primals, given = _paired(program, fact)
    patch = Patch(program)
    application = application_of(program, fact)
    texts: list[str] = []
    changed: list[Gradient] = []
    names: list[str] = []
    for primal, entry in zip(primals, given, strict=True):
        problem = problem_of(primal, entry)
        if problem is None:
            if entry.text is None:
                raise NotPossible
            texts.append(entry.text)
            changed.append(Gradient(primal.first, 1, None, False))
            continue
        if problem.lost or problem.kind not in ("value", "structure"):
            raise NotPossible
        if not all(can_skip(leaf) for leaf in primal.leaves):
            raise NotPossible
        plan = _dont if problem.kind == "structure" else skipping
        texts.append(entries_for(patch, [primal], application.node, plan=plan).texts[0])
        changed.append(Gradient(primal.first, 1, "", False))
        names.append(
            f"`{program.source(primal.node)}`" if primal.item is None else f"args[{primal.first}]"
        )
    use = gradients_use(program, application)
    if use is None or not needs_none(program, use, changed):
        raise NotPossible
    put_in(patch, application, put_together(fact.site.node, given, texts))
    return patch.fix(f"Skip the gradient of {' and '.join(names)}", "unsafe")


def _dont(leaf: PrimalLeaf) -> Plan:
    del leaf
    return "dont"


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


def _paired(program: Program, fact: RefsBound) -> tuple[tuple[Primal, ...], tuple[Given, ...]]:
    primals = one_by_one(primals_of(program, fact.vjp), fact.vjp.parameters)
    given = given_entries(program, fact)
    if len(given) != len(primals):
        raise NotPossible
    return primals, given


def reorder(program: Program, finding: Finding) -> Fix:
    """The same entries in an order in which each fits its argument."""
    fact = binding_fact(program, finding)
    primals, given = _paired(program, fact)
    texts = [entry.text for entry in given]
    refs = [i for i, entry in enumerate(given) if any(one.refs for one in entry.entries)]
    if not 2 <= len(refs) <= 6 or None in texts:
        raise NotPossible
    orders = [_placed(refs, chosen, len(given)) for chosen in permutations(refs)]
    fitting = [
        order
        for order in orders
        if all(problem_of(primals[i], given[index]) is None for i, index in enumerate(order))
    ]
    moved = [sum(i != index for i, index in enumerate(order)) for order in fitting]
    if not fitting or moved.count(min(moved)) > 1:
        raise NotPossible
    order = fitting[moved.index(min(moved))]
    patch = Patch(program)
    new = [text for index in order if (text := texts[index]) is not None]
    put_in(patch, application_of(program, fact), put_together(fact.site.node, given, new))
    return patch.fix("Put the entries into the order of the arguments", "safe", preferred=True)


def _placed(places: Sequence[int], chosen: Sequence[int], count: int) -> list[int]:
    """0, 1, ... with those at `places` replaced by the `chosen` ones."""
    order = list(range(count))
    for place, index in zip(places, chosen, strict=True):
        order[place] = index
    return order


def make_alike(program: Program, finding: Finding) -> Fix:
    """Make the gradient ref, where it is made, like the argument whose gradient it is for."""
    fact = binding_fact(program, finding)
    primals, given = _paired(program, fact)
    patch = Patch(program)
    sure: Applicability = "safe"
    names = []
    for primal, entry in zip(primals, given, strict=True):
        problem = problem_of(primal, entry)
        if problem is None:
            continue
        if problem.kind != "type" or primal.treedefs[0].kind != "leaf":
            raise NotPossible
        found = entry.entries[0].refs[0][1]
        made = _new_ref_call(program, found)
        host = program.statement(made)
        if host is None or program.function_scope(host) is not program.function_scope(primal.node):
            raise NotPossible
        if not _bound_before(program, primal.node, host):
            raise NotPossible
        if primal.item is not None or _used_for_another(program, fact, entry.entries[0], primal):
            raise NotPossible
        initial = made.args[0]
        like = patch.jax("jax.numpy.zeros_like", made)
        patch.replace(initial, f"{like}({program.source(primal.node)})")
        if not _is_zero(program, initial):
            sure = "unsafe"
        names.append(f"`{entry.text or found.name}` like `{program.source(primal.node)}`")
    return patch.fix(f"Make {' and '.join(names)}", sure, preferred=sure == "safe")


def _new_ref_call(program: Program, found: RefObject) -> ast.Call:
    """The `new_ref` call that made a ref, when it stands in this file and makes one ref."""
    if found.many or found.path != program.path or found.how != "new_ref" or found.span is None:
        raise NotPossible
    for node in program.parents:
        if isinstance(node, ast.Call) and program.span(node) == found.span and len(node.args) == 1:
            if isinstance(node.args[0], ast.Starred) or node.keywords:
                raise NotPossible
            if program.source(node.func).rpartition(".")[2] not in ("new_ref", "array_ref"):
                raise NotPossible
            if any(
                isinstance(outer, (ast.For, ast.While, ast.Lambda, *Scopes.COMPREHENSIONS))
                for outer in program.ancestors(node)
            ):
                raise NotPossible
            return node
    raise NotPossible


def _bound_before(program: Program, node: ast.expr, host: ast.stmt) -> bool:
    """True when the path `node` means at `host`, which comes before it, what it means in its place."""
    start = program.span(host).start
    if not is_path(node) or start > program.span(node).start:
        return False
    if not means_the_same(program, node, host, start):
        return False
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            binder = program.scope(part).binder(part.id)
            if binder is None or len(binder.bound[part.id]) != 1:
                return False
            store = binder.bound[part.id][0]
            if program.function_scope(host) is binder and not isinstance(store, ast.arg):
                if program.span(program.statement(store) or store).end > start:
                    return False
    return True


def _used_for_another(program: Program, fact: RefsBound, entry: Entry, primal: Primal) -> bool:
    """True when the ref is also bound for another argument than this one."""
    key = entry.refs[0][0].id
    for other in program.facts:
        if not isinstance(other, RefsBound):
            continue
        for one in other.binding.entries:
            if any(ref.id == key for ref, _ in one.refs):
                if other.vjp.call is not fact.vjp.call or one.path != entry.path:
                    return True
    return False


def _is_zero(program: Program, node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int() | float()):
            return node.value == 0
        case ast.Call():
            return program.source(node.func).rpartition(".")[2] in ("zeros", "zeros_like", "empty")
    return False


def _mended(program: Program, fact: RefsBound) -> Fix:
    primals, given = _paired(program, fact)
    patch = Patch(program)
    application = application_of(program, fact)
    host = can_precede(program, application.node)
    writer = EntryWriter(patch, application, host)
    for primal, entry in zip(primals, given, strict=True):
        writer.add(primal, entry, problem_of(primal, entry))
    return writer.fix(fact, given)


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
        made = entries_for(self.patch, [primal], self.host, plan=_dont)
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


REMEDIES = {
    "ref-gradient-as-value": (mend, skip_instead),
    "gradient-ref-type": (reorder, make_alike, mend),
    "with-refs-structure": (mend, skip_instead),
    "dont-want-written-ref": (mend,),
    "dont-want-ref-in-scan": (mend,),
    "array-as-gradient-ref": (mend,),
}
