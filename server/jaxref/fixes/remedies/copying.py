"""A second name for a ref where a copy is meant: make a ref of its own."""

from __future__ import annotations

import ast

from jaxref.facts import RefCopied
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.model import Fix
from jaxref.fixes.operands import POSTFIX
from jaxref.fixes.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def copy_ref(program: Program, finding: Finding) -> Fix:
    """`previous = jax.new_ref(ref[...])` for `previous = ref` and for `previous = copy.copy(ref)`."""
    fact = finding.fact
    node = fact.site.node
    if not isinstance(fact, RefCopied) or not isinstance(node, POSTFIX) or not program.has(node):
        raise NotPossible
    if fact.object.kind is not None or fact.ref.tree:
        raise NotPossible
    if any(trace.staged for trace in fact.site.traces):
        # What is made there cannot leave, and nobody knows whether this name does.
        raise NotPossible
    patch = Patch(program)
    text = f"{patch.jax('jax.new_ref', node)}({program.source(node)}[...])"
    words = program.words(node)
    title = f"Make a ref of its own: `jax.new_ref({words}[...])`"
    if len(title) > 80:
        title = "Make a ref of its own"
    if fact.how != "copy.copy":
        patch.replace(node, text)
        return patch.fix(f"{title} (it then keeps the value it has here)", "unsafe")
    call = program.parents.get(node)
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        raise NotPossible
    patch.replace(call, text)
    return patch.fix(title, "safe", preferred=True)


REMEDIES = {"ref-alias-copy": (copy_ref,)}
