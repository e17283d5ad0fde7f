"""Fixes as edits of the client's documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from lsprotocol import types

from jaxref.fixes.model import Edit
from jaxref.lsp.documents import Module, Part
from jaxref.lsp.features import Features
from jaxref.lsp.positions import to_range
from jaxref.source.text import Span, Text

PartEdits = dict[str, list[Edit]]
"""Edits by the URI of the part they change, in whose text their spans count."""


def by_part(module: Module, edits: Sequence[Edit]) -> PartEdits | None:
    """Edits of a module as edits of its parts; None when one does not lie in a single part."""
    placed: PartEdits = {}
    for edit in edits:
        found = module.place(edit.span)
        if found is None:
            return None
        part, span = found
        text = edit.text
        if edit.span.end > part.end:
            # Between two cells stands a line end that belongs to neither.
            if module.text_between(part.end, edit.span.end).strip():
                return None
            if edit.span.start > part.end:
                text = "\n" + text
            text = text.removesuffix("\n")
        placed.setdefault(part.uri, []).append(Edit(span, text))
    return placed


def differences(before: Text, after: str) -> list[Edit]:
    """Edits of whole lines that make `after` of `before`."""
    if before.content == after:
        return []
    old = [before.content[a:b] for a, b in _line_bounds(before)]
    later = Text(after)
    new = [after[a:b] for a, b in _line_bounds(later)]
    starts = [*before.line_starts, len(before.content)]
    return [
        Edit(Span(starts[a], starts[b]), "".join(new[c:d]))
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    ]


def workspace_edit(
    module: Module,
    edits: Mapping[str, Sequence[Edit]],
    features: Features,
    confirm: str | None = None,
) -> types.WorkspaceEdit:
    """The edit as the client takes it, of the versions in `module` where the client has versions.

    `confirm` says why the user should look at it before it is applied; only clients that can ask
    are told.
    """
    parts = [part for part in module.parts if edits.get(part.uri)]
    if not features.document_changes:
        return types.WorkspaceEdit(
            changes={
                part.uri: [_text_edit(part, one, features) for one in edits[part.uri]]
                for part in parts
            }
        )
    asks = confirm is not None and features.change_annotations
    changes = [
        types.TextDocumentEdit(
            types.OptionalVersionedTextDocumentIdentifier(part.uri, part.version),
            [
                _annotated(part, one, features) if asks else _text_edit(part, one, features)
                for one in edits[part.uri]
            ],
        )
        for part in parts
    ]
    if not asks or confirm is None:
        return types.WorkspaceEdit(document_changes=changes)
    annotation = types.ChangeAnnotation(
        "jaxref: please confirm", needs_confirmation=True, description=confirm
    )
    return types.WorkspaceEdit(
        document_changes=changes, change_annotations={_ANNOTATION: annotation}
    )


_ANNOTATION = "jaxref.confirm"


def _text_edit(part: Part, edit: Edit, features: Features) -> types.TextEdit:
    return types.TextEdit(to_range(part.text, edit.span, features.encoding), edit.text)


def _annotated(part: Part, edit: Edit, features: Features) -> types.AnnotatedTextEdit:
    where = to_range(part.text, edit.span, features.encoding)
    return types.AnnotatedTextEdit(annotation_id=_ANNOTATION, range=where, new_text=edit.text)


def _line_bounds(text: Text) -> list[tuple[int, int]]:
    ends = [*text.line_starts[1:], len(text.content)]
    return list(zip(text.line_starts, ends, strict=True))
