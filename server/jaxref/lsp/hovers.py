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
    module_uri = documents.module_uri(params.text_document.uri)
    while module_uri is not None:
        try:
            module, analysis = await analyses.of(module_uri, urgent=True)
        except Superseded:
            return None
        try:
            return await _hover(module, analysis, analyses, features, params)
        except Superseded:
            # Settings or other files have changed; should it be the text, `of` says so.
            continue
    return None


async def _hover(
    module: Module,
    analysis: Analysis,
    analyses: Analyses,
    features: Features,
    params: types.HoverParams,
) -> types.Hover | None:
    uri = params.text_document.uri
    part = module.part(uri)
    if part is None:
        return None
    offset = part.start + to_offset(part.text, params.position, features.encoding)
    described = await analyses.ask(lambda cancel: analysis.describe(offset), module)
    if described is None:
        described = _rule_at(Text(module.snapshot.text), offset)
    if described is None:
        return None
    placed = module.place(described.span)
    if placed is None or placed[0].uri != uri:
        return None
    return types.Hover(
        contents=_contents(described, features),
        range=to_range(part.text, placed[1], features.encoding),
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
