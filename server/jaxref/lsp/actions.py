"""Code actions: the fixes of what stands at a place, or why there are none, all safe ones at once,
and silencing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from jaxref.diagnostics.model import Diagnostic
from jaxref.diagnostics.suppressing import UNUSED_IGNORE
from jaxref.engine import Analysis
from jaxref.fixes.apply import apply_edits, chosen_fix
from jaxref.fixes.model import Applicability, Edit, Fix
from jaxref.fixes.silencing import silencing_edit
from jaxref.judging import most_fixed
from jaxref.lsp.analyses import Analyses, Cancel
from jaxref.lsp.client_settings import EditorSettings
from jaxref.lsp.documents import Documents, Module, Part
from jaxref.lsp.edits import by_part, differences, workspace_edit
from jaxref.lsp.features import Features
from jaxref.lsp.findings import convert, shown
from jaxref.lsp.positions import to_span
from jaxref.lsp.worker import Superseded
from jaxref.quick_dataclasses import dataclass
from jaxref.source.parsing import parse
from jaxref.source.text import Span, Text

QUICK_FIX = types.CodeActionKind.QuickFix.value
REWRITE = types.CodeActionKind.RefactorRewrite.value
FIX_ALL = "source.fixAll.jaxref"
NOTEBOOK_FIX_ALL = "notebook.source.fixAll.jaxref"

KINDS: Sequence[types.CodeActionKind | str] = (QUICK_FIX, REWRITE, FIX_ALL, NOTEBOOK_FIX_ALL)
"""Rewrites are only those that cannot be offered: clients show what is disabled, with the reason, to
those who ask for one kind."""

_SAFE: frozenset[Applicability] = frozenset(["safe"])

_MOST_ROUNDS = 20
"""Fixing everything stops here, should two fixes undo each other."""

_CONFIRM: dict[Applicability, str | None] = {
    "safe": None,
    "unsafe": "the fixed program works, but it may mean something else",
    "display": "this is a sketch: look at it before it is applied",
}


async def code_actions(
    documents: Documents,
    analyses: Analyses,
    features: Features,
    editor: EditorSettings,
    params: types.CodeActionParams,
) -> list[types.CodeAction]:
    """The actions for a range. Raises `ContentModified` when the text changes meanwhile."""
    uri = params.text_document.uri
    module_uri = documents.module_uri(uri)
    if module_uri is None:
        return []
    only = _only(params.context)

    def mend(module: Module, analysis: Analysis) -> _Mended:
        part = module.part(uri)
        if part is None:
            return _Mended([], [], False, [])
        at = _at(module, analysis, part, to_span(part.text, params.range, features.encoding))
        return _mended(analysis, at, editor.fix_all and _wanted(_fix_all_kind(module), only))

    try:
        module, analysis, mended = await analyses.answer(module_uri, mend)
    except Superseded:
        raise JsonRpcContentModified("the document has changed") from None
    for failure in mended.failures:
        analyses.failed_inside(module, failure)
    found = mended.here
    made: list[types.CodeAction] = []
    if _wanted(QUICK_FIX, only):
        made += _fixes(documents, module, analysis, found, features)
        made += [await _of_rule(analyses, module, features, rule) for rule in mended.repeated]
    asked = params.context.trigger_kind == types.CodeActionTriggerKind.Invoked
    if asked and features.disabled_actions and editor.unavailable_fixes:
        kind = next((kind for kind in (QUICK_FIX, REWRITE) if _wanted(kind, only)), None)
        if kind is not None:
            made += _refused(documents, module, analysis, found, features, kind)
    if _wanted(QUICK_FIX, only) and editor.silencing:
        made += _silencing(documents, module, analysis, found, features)
    if mended.anywhere:
        title, kind = "Fix all safe jaxref problems", _fix_all_kind(module)
        made.append(await _fixing(analyses, module, features, title, kind, None))
    return made


@dataclass(frozen=True, slots=True)
class _Mended:
    """Diagnostics with their fixes, and what failed in making them, in one line each.

    `repeated` are the rules that have something to fix safely here and elsewhere, `anywhere` is true
    where anything in the file can be fixed safely.
    """

    here: list[Diagnostic]
    repeated: list[str]
    anywhere: bool
    failures: list[str]


def _mended(analysis: Analysis, at: Sequence[Diagnostic], everywhere: bool) -> _Mended:
    """What can be fixed where the diagnostics `at` are, and elsewhere.

    Elsewhere no more is looked at than answers the question.
    """
    here, failures = analysis.fixed(at)
    others = [one for one in shown(analysis) if one not in at]
    left = most_fixed(analysis.snapshot.text)

    def is_fixable(one: Diagnostic) -> bool:
        nonlocal left
        if left == 0:
            return False
        left -= 1
        fixed, failed = analysis.fixed([one])
        failures.extend(failed)
        return any(chosen_fix(found, _SAFE) for found in fixed)

    safe = Counter(one.rule for one in here if chosen_fix(one, _SAFE))
    repeated = [
        rule
        for rule, count in safe.items()
        if count > 1 or any(is_fixable(one) for one in others if one.rule == rule)
    ]
    anywhere = everywhere and (bool(safe) or any(is_fixable(one) for one in others))
    return _Mended(here, repeated, anywhere, failures)


def _fix_all_kind(module: Module) -> str:
    # Clients ask every cell of a notebook at once: fixing the whole of it goes by its own kind.
    return NOTEBOOK_FIX_ALL if module.is_notebook else FIX_ALL


async def resolved(
    documents: Documents, analyses: Analyses, features: Features, action: types.CodeAction
) -> types.CodeAction:
    """The action with its edit, for the version it was offered for.

    Raises `ContentModified` when that version is gone.
    """
    data = action.data
    if action.edit is not None or data is None:
        return action
    if not isinstance(data, dict) or not isinstance(data.get("fixAll"), str):
        raise JsonRpcInvalidParams("this code action was not made by jaxref")
    module_uri = documents.module_uri(data["fixAll"])
    module = documents.freeze(module_uri) if module_uri is not None else None
    if module is None or module.text_revision != data.get("revision"):
        raise JsonRpcContentModified("the document has changed")
    rule = data.get("rule")
    if rule is not None and not isinstance(rule, str):
        raise JsonRpcInvalidParams("this code action was not made by jaxref")
    action.edit = await _fix_all(analyses, module, features, rule)
    return action


def fixed_texts(
    module: Module, analyse: Callable[[Module], Analysis], rule: str | None = None
) -> list[str]:
    """The texts of the module's parts after all safe fixes, and those that then become possible.

    With `rule` only what it finds is fixed. A module that parsed parses afterwards: a round that breaks it is taken back, and is the last.
    """
    texts = [part.text.content for part in module.parts]
    parsed = not parse(module.snapshot.text).errors
    for _ in range(_MOST_ROUNDS):
        found = [one for one in shown(analyse(module)) if rule in (None, one.rule)]
        fixes = [fix for one in found if (fix := chosen_fix(one, _SAFE))]
        edits = by_part(module, _compatible(fixes))
        if not edits:
            break
        fixed = [apply_edits(part.text.content, edits.get(part.uri, ())) for part in module.parts]
        module = module.with_texts(fixed)
        if parsed and parse(module.snapshot.text).errors:
            break
        texts = fixed
    return texts


async def _fixing(
    analyses: Analyses,
    module: Module,
    features: Features,
    title: str,
    kind: str,
    rule: str | None,
) -> types.CodeAction:
    """An action that fixes all that is safe; its edit is made when the client asks for it."""
    action = types.CodeAction(title, kind=kind)
    if features.action_resolve:
        action.data = {"fixAll": module.uri, "revision": module.text_revision}
        if rule is not None:
            action.data["rule"] = rule
    else:
        action.edit = await _fix_all(analyses, module, features, rule)
    return action


async def _fix_all(
    analyses: Analyses, module: Module, features: Features, rule: str | None
) -> types.WorkspaceEdit:
    def fixing(module: Module) -> Callable[[Cancel], list[str]]:
        analyse = analyses.repeatable(module)
        return lambda cancel: fixed_texts(module, lambda changed: analyse(changed, cancel), rule)

    try:
        module, texts = await analyses.ask_of_text(fixing, module)
    except Superseded:
        raise JsonRpcContentModified("the document has changed") from None
    edits = {
        part.uri: differences(part.text, after)
        for part, after in zip(module.parts, texts, strict=True)
    }
    return workspace_edit(module, edits, features)


def _fixes(
    documents: Documents,
    module: Module,
    analysis: Analysis,
    found: Sequence[Diagnostic],
    features: Features,
) -> list[types.CodeAction]:
    made = []
    for diagnostic in found:
        about = convert(module, analysis, diagnostic, features, documents.uri_of_path)
        for fix in diagnostic.fixes:
            if fix.applicability == "display" and not features.change_annotations:
                continue
            edits = by_part(module, fix.edits)
            if not edits:
                continue
            confirm = _CONFIRM[fix.applicability]
            made.append(
                types.CodeAction(
                    fix.title,
                    kind=QUICK_FIX,
                    diagnostics=[about],
                    is_preferred=True if fix.preferred and confirm is None else None,
                    edit=workspace_edit(module, edits, features, confirm),
                )
            )
    return made


async def _of_rule(
    analyses: Analyses, module: Module, features: Features, rule: str
) -> types.CodeAction:
    where = "notebook" if module.is_notebook else "file"
    title = f"Fix all safe {rule} problems in this {where}"
    return await _fixing(analyses, module, features, title, QUICK_FIX, rule)


def _refused(
    documents: Documents,
    module: Module,
    analysis: Analysis,
    found: Sequence[Diagnostic],
    features: Features,
    kind: str,
) -> list[types.CodeAction]:
    """For each finding without a fix, why there is none."""
    from jaxref.fixes.builders import remedies_for

    made = []
    for diagnostic in found:
        if diagnostic.fixes or diagnostic.rule == UNUSED_IGNORE:
            continue
        if diagnostic.refusals:
            reason = "; ".join(diagnostic.refusals)
        elif remedies_for(diagnostic.rule):
            reason = "the code around it is not simple enough for a fix that is sure to work"
        else:
            reason = "what to do depends on what is meant; the rule's page says more"
        made.append(
            types.CodeAction(
                f"No fix for {diagnostic.rule} here",
                kind=kind,
                diagnostics=[
                    convert(module, analysis, diagnostic, features, documents.uri_of_path)
                ],
                disabled=types.CodeActionDisabled(reason),
            )
        )
    return made


def _silencing(
    documents: Documents,
    module: Module,
    analysis: Analysis,
    found: Sequence[Diagnostic],
    features: Features,
) -> list[types.CodeAction]:
    text = Text(module.snapshot.text)
    made: dict[tuple[str, Edit], types.CodeAction] = {}
    for diagnostic in found:
        edit = silencing_edit(text, diagnostic.rule, diagnostic.span.start)
        edits = by_part(module, [edit]) if edit is not None else None
        if edit is None or not edits:
            continue
        about = convert(module, analysis, diagnostic, features, documents.uri_of_path)
        action = made.setdefault(
            (diagnostic.rule, edit),
            types.CodeAction(
                f"Ignore {diagnostic.rule} on this line",
                kind=QUICK_FIX,
                diagnostics=[],
                edit=workspace_edit(module, edits, features),
            ),
        )
        action.diagnostics = [*(action.diagnostics or ()), about]
    return list(made.values())


def _at(module: Module, analysis: Analysis, part: Part, selected: Span) -> list[Diagnostic]:
    found = []
    for diagnostic in shown(analysis):
        placed = module.place(diagnostic.span)
        if placed is not None and placed[0] is part:
            span = placed[1]
            if span.start <= selected.end and selected.start <= span.end:
                found.append(diagnostic)
    return found


def _compatible(fixes: Sequence[Fix]) -> list[Edit]:
    """The edits of as many fixes as can be applied together; the rest waits for the next round."""
    taken: list[Edit] = []
    for fix in fixes:
        if not any(_touch(edit, other) for edit in fix.edits for other in taken):
            taken += fix.edits
    return taken


def _touch(one: Edit, other: Edit) -> bool:
    return one.span.start <= other.span.end and other.span.start <= one.span.end


def _only(context: types.CodeActionContext) -> list[str] | None:
    if context.only is None:
        return None
    return [kind.value if isinstance(kind, types.CodeActionKind) else kind for kind in context.only]


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    if only is None:
        return True
    return any(one in ("", kind) or kind.startswith(one + ".") for one in only)
