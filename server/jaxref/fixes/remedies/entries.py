"""Entries of `with_refs` that JAX rejects or misreads: entries that fit the primals instead."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import permutations

from jaxref.domain.heap import RefObject
from jaxref.facts import Entry, RefsBound
from jaxref.fixes.application import (
    application_of,
    gradients_use,
    needs_none,
    put_in,
)
from jaxref.fixes.binding import Gradient, entries_for, skipping
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.entry_writing import (
    EntryWriter,
    binding_fact,
    dont,
    paired,
    problem_of,
    put_together,
)
from jaxref.fixes.model import Applicability, Fix
from jaxref.fixes.names import last_part
from jaxref.fixes.primals import (
    Primal,
    can_skip,
    is_path,
    means_the_same,
)
from jaxref.fixes.program import Program
from jaxref.fixes.scopes import Scopes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def mend(program: Program, finding: Finding) -> Fix:
    """Give every entry that is wrong the right form, and a fresh ref where one is needed."""
    fact = binding_fact(program, finding)
    return _mended(program, fact)


def skip_instead(program: Program, finding: Finding) -> Fix:
    """`DontWant()` for refs whose entry is no ref."""
    fact = binding_fact(program, finding)
    primals, given = paired(program, fact)
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
        plan = dont if problem.kind == "structure" else skipping
        texts.append(entries_for(patch, [primal], application.node, plan=plan).texts[0])
        changed.append(Gradient(primal.first, 1, "", False))
        names.append(
            f"`{program.words(primal.node)}`" if primal.item is None else f"args[{primal.first}]"
        )
    use = gradients_use(program, application)
    if use is None or not needs_none(program, use, changed):
        raise NotPossible
    put_in(patch, application, put_together(fact.site.node, given, texts))
    return patch.fix(f"Skip the gradient of {' and '.join(names)}", "unsafe")


def reorder(program: Program, finding: Finding) -> Fix:
    """The same entries in an order in which each fits its argument."""
    fact = binding_fact(program, finding)
    primals, given = paired(program, fact)
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
    primals, given = paired(program, fact)
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
        names.append(f"`{entry.text or found.name}` like `{program.words(primal.node)}`")
    return patch.fix(f"Make {' and '.join(names)}", sure, preferred=sure == "safe")


def _new_ref_call(program: Program, found: RefObject) -> ast.Call:
    """The `new_ref` call that made a ref, when it stands in this file and makes one ref."""
    if found.many or found.path != program.path or found.how != "new_ref" or found.span is None:
        raise NotPossible
    for node in program.parents:
        if isinstance(node, ast.Call) and program.span(node) == found.span and len(node.args) == 1:
            if isinstance(node.args[0], ast.Starred) or node.keywords:
                raise NotPossible
            if last_part(node.func) not in ("new_ref", "array_ref"):
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
            return last_part(node.func) in ("zeros", "zeros_like", "empty")
    return False


def _mended(program: Program, fact: RefsBound) -> Fix:
    primals, given = paired(program, fact)
    patch = Patch(program)
    application = application_of(program, fact)
    host = can_precede(program, application.node)
    writer = EntryWriter(patch, application, host)
    for primal, entry in zip(primals, given, strict=True):
        writer.add(primal, entry, problem_of(primal, entry))
    return writer.fix(fact, given)


REMEDIES = {
    "ref-gradient-as-value": (mend, skip_instead),
    "gradient-ref-type": (reorder, make_alike, mend),
    "with-refs-structure": (mend, skip_instead),
    "dont-want-written-ref": (mend,),
    "dont-want-ref-in-scan": (mend,),
    "array-as-gradient-ref": (mend,),
}
