"""Signature help inside the brackets of calls on VJPs, one parameter for each primal.

While such a call is being typed the text does not parse: it is then completed at the cursor and
analysed once more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

from jaxref.engine import Analysis
from jaxref.facts import Fact
from jaxref.lsp.analyses import Analyses, Cancel
from jaxref.lsp.documents import Documents, Module
from jaxref.lsp.features import Features
from jaxref.lsp.positions import to_offset
from jaxref.lsp.vjps import Primal, VjpCall, primals, vjp_calls
from jaxref.lsp.worker import Superseded
from jaxref.quick_dataclasses import dataclass
from jaxref.source.lines import shape_of
from jaxref.source.text import Span, Text

TRIGGERS = ("(", ",")

_MAKES_VJPS = re.compile(r"vjp|fwd_and_bwd|with_refs")

_QUOTED = re.compile(
    r"'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|#[^\n]*", re.DOTALL
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Around:
    """The innermost call on a VJP around an offset of a module, and the facts on the code there.

    `text` is that of the analysed module `path`; up to `offset` it is the text of the document.
    """

    call: VjpCall
    facts: Sequence[Fact]
    path: str
    text: Text
    offset: int

    @property
    def active(self) -> int:
        """The number of the argument in which the offset is."""
        ends = [argument.end for argument in self.call.arguments or ()]
        return sum("," in self.text.content[end : self.offset] for end in ends)


async def call_around(
    documents: Documents,
    analyses: Analyses,
    features: Features,
    uri: str,
    position: types.Position,
) -> Around | None:
    """The call on a VJP in whose brackets a position is; None outside of any, or if the text changes."""
    module_uri = documents.module_uri(uri)
    if module_uri is None:
        return None

    def around(module: Module, analysis: Analysis) -> Around | None:
        part = module.part(uri)
        if part is None:
            return None
        return _around(analysis, part.start + to_offset(part.text, position, features.encoding))

    try:
        module, _, found = await analyses.answer(module_uri, around)
        part = module.part(uri)
        if part is None:
            return None
        inside = to_offset(part.text, position, features.encoding)
        offset = part.start + inside
        if found is not None or not _MAKES_VJPS.search(module.snapshot.text):
            return found
        completed = completed_at(part.text.content, inside)
        if completed is None:
            return None
        texts = [completed if one is part else one.text.content for one in module.parts]
        variant = module.with_texts(texts)
        analyse = analyses.repeatable(module, as_edited=True)

        def run(cancel: Cancel) -> Around | None:
            return _around(analyse(variant, cancel), offset)

        return await analyses.ask(run, module)
    except Superseded:
        return None


async def signature_help(
    documents: Documents,
    analyses: Analyses,
    features: Features,
    params: types.SignatureHelpParams,
) -> types.SignatureHelp | None:
    """The signature of the innermost call on a VJP around the cursor; None outside of any."""
    uri = params.text_document.uri
    around = await call_around(documents, analyses, features, uri, params.position)
    return None if around is None else _help(around)


def completed_at(text: str, offset: int) -> str | None:
    """The text with the brackets closed that are open at `offset`, without the rest of its line.

    None where no bracket of a call is open that could be one on a VJP.
    """
    before = text[:offset]
    logical = shape_of(Text(before)).logical
    start = Text(before).line_starts[logical[-1].first] if logical else 0
    statement = _QUOTED.sub(lambda found: " " * len(found.group()), before[start:])
    opened: list[int] = []
    for index, char in enumerate(statement):
        if char in _CLOSING:
            opened.append(index)
        elif char in ")]}" and opened:
            opened.pop()
    calls = [at for at in opened if statement[at] == "(" and re.search(r"[\w\])]$", statement[:at])]
    if not calls:
        return None
    closing = "".join(_CLOSING[statement[at]] for at in reversed(opened))
    name = "_" if before.rstrip().endswith(".") else ""
    end = Text(text).line_span(Text(text).line_index(offset)).end
    return before + name + closing + text[end:]


def _around(analysis: Analysis, offset: int) -> Around | None:
    path, text = analysis.snapshot.path, Text(analysis.snapshot.text)
    facts = analysis.facts(Span(offset, offset))
    calls = [
        one
        for one in vjp_calls(facts, path, text)
        if one.brackets.start <= offset <= one.brackets.end
    ]
    call = max(calls, key=lambda one: one.brackets.start, default=None)
    return None if call is None else Around(call, facts, path, text, offset)


def _help(around: Around) -> types.SignatureHelp:
    call = around.call
    if call.binds:
        parameters = [_parameter(primal) for primal in primals(call.vjp)]
        name = "with_refs"
        about = f"where the gradients of `{call.vjp.function}` go, one entry for each primal"
    else:
        parameters = [
            types.ParameterInformation(
                "cotangent",
                _markdown("the cotangent of the output, of its structure, shapes and dtypes"),
            )
        ]
        name, about = "f_vjp", f"applies the VJP of `{call.vjp.function}`"
    label = f"{name}({', '.join(str(one.label) for one in parameters)})"
    return types.SignatureHelp(
        [types.SignatureInformation(label, _markdown(about), parameters)],
        active_signature=0,
        active_parameter=min(around.active, max(len(parameters) - 1, 0)),
    )


def _parameter(primal: Primal) -> types.ParameterInformation:
    label = f"{primal.name}: {primal.kind}" if primal.kind else primal.name
    if not primal.refs:
        words = "an array: `jax.ad.GradValue()` returns its gradient, a ref receives it"
    elif any(leaf.written for leaf in primal.refs):
        words = "a ref that the function writes: give a gradient ref of its type"
    else:
        words = "a ref: give a gradient ref of its type, or `jax.ad.DontWant()`"
    return types.ParameterInformation(label, _markdown(words))


def _markdown(words: str) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown, words)
