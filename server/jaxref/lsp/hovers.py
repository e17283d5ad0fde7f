"""What a hover shows."""

from __future__ import annotations

import re

from lsprotocol import types

from jaxref.diagnostics.report import rule_url
from jaxref.engine import Analysis, Described
from jaxref.lsp.analyses import Analyses
from jaxref.lsp.documents import Documents, Module
from jaxref.lsp.features import Features
from jaxref.lsp.positions import to_offset, to_range
from jaxref.lsp.rulebook import summaries
from jaxref.lsp.worker import Superseded
from jaxref.source.suppressions import suppressions_in
from jaxref.source.text import Span, Text


async def hover(
    documents: Documents, analyses: Analyses, features: Features, params: types.HoverParams
) -> types.Hover | None:
    """What is known of the value under the cursor; None where jaxref has nothing of its own to say.

    None, too, when the text changes before the answer is there.
    """
    uri = params.text_document.uri
    module_uri = documents.module_uri(uri)
    if module_uri is None:
        return None

    def described(module: Module, analysis: Analysis) -> Described | None:
        part = module.part(uri)
        if part is None:
            return None
        offset = part.start + to_offset(part.text, params.position, features.encoding)
        return analysis.describe(offset) or _rule_at(Text(module.snapshot.text), offset)

    try:
        module, _, found = await analyses.answer(module_uri, described)
    except Superseded:
        return None
    placed = None if found is None else module.place(found.span)
    if found is None or placed is None or placed[0].uri != uri:
        return None
    part, span = placed
    return types.Hover(
        contents=_contents(found, features), range=to_range(part.text, span, features.encoding)
    )


def plain(markdown: str) -> str:
    """Markdown as it reads without a renderer: the words and the lines, without the marks."""
    lines = []
    for line in markdown.splitlines():
        if re.fullmatch(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*", line) or line.lstrip().startswith("```"):
            continue
        if line.strip().startswith("|"):
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
            line = "  ".join(cell.strip() for cell in cells).rstrip()
        line = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r"\1 (\2)", line)
        line = re.sub(r"\*\*(.+?)\*\*", r"\1", line)
        line = re.sub(r"\\([\\`*_{}\[\]()#+.!|<>-])", r"\1", line)
        lines.append(re.sub(r"^#+\s*", "", line.replace("`", "")))
    return "\n".join(lines).strip()


def _contents(described: Described, features: Features) -> types.MarkupContent:
    if features.hover_markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, described.markdown)
    return types.MarkupContent(types.MarkupKind.PlainText, plain(described.markdown))


def _rule_at(text: Text, offset: int) -> Described | None:
    line = text.line_span(text.line_index(offset))
    if "jaxref:" not in text.slice(line):
        return None
    for suppression in suppressions_in(text):
        for rule in suppression.rules or ():
            if rule.span.contains(offset):
                return _about_rule(rule.name, rule.span)
    return None


def _about_rule(name: str, span: Span) -> Described | None:
    summary = summaries().get(name)
    if summary is None:
        return None
    return Described(span, "rule", name, f"`{name}`: {summary} ([more]({rule_url(name)}))")
