"""Completion inside the brackets of `# jaxref: ignore[...]`, and nowhere else."""

from __future__ import annotations

import re

from lsprotocol import types

from jaxref.lsp.documents import Documents
from jaxref.lsp.features import Features
from jaxref.lsp.positions import to_offset, to_range
from jaxref.lsp.rulebook import summaries
from jaxref.source.text import Span

TRIGGERS = ("[", ",")

_OPEN_BRACKETS = re.compile(r"#\s*jaxref:\s*ignore(?:-file)?\s*\[(?P<before>[\w\s,-]*)$")


def completion(
    documents: Documents, features: Features, params: types.CompletionParams
) -> types.CompletionList | None:
    """The rules that can be named at the cursor; None where other servers have the word."""
    uri = params.text_document.uri
    text = documents.text(uri)
    if text is None or documents.module_uri(uri) is None:
        return None
    offset = to_offset(text, params.position, features.encoding)
    line = text.line_span(text.line_index(offset))
    opened = _OPEN_BRACKETS.search(text.content[line.start : offset])
    if opened is None:
        return None
    *named, begun = re.split(r"[\s,]+", f",{opened['before']}")
    rest = re.match(r"[\w-]*", text.content[offset : line.end])
    end = offset + (rest.end() if rest is not None else 0)
    named += re.findall(r"[\w-]+", text.content[end : line.end].partition("]")[0])
    where = to_range(text, Span(offset - len(begun), end), features.encoding)
    items = [
        types.CompletionItem(
            label=name,
            kind=types.CompletionItemKind.EnumMember,
            detail=summary,
            text_edit=types.TextEdit(where, name),
        )
        for name, summary in summaries().items()
        if name not in named
    ]
    return types.CompletionList(is_incomplete=False, items=items)
