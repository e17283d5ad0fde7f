"""Signature help inside the brackets of calls on VJPs, one parameter for each primal.

While such a call is being typed the text does not parse: it is then completed at the cursor and
analysed once more.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lsprotocol import types

from jaxref.lsp.analyses import Analyses, Cancel
from jaxref.lsp.documents import Documents, Module
from jaxref.lsp.features import Features
from jaxref.lsp.positions import to_offset
from jaxref.lsp.vjps import Primal, VjpCall, primals, vjp_calls
from jaxref.lsp.worker import Superseded
from jaxref.source.lines import shape_of
from jaxref.source.text import Text

TRIGGERS = ("(", ",")

_MAKES_VJPS = re.compile(r"vjp|fwd_and_bwd|with_refs")

_QUOTED = re.compile(
    r"'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|#[^\n]*", re.DOTALL
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


async def signature_help(
    documents: Documents,
    analyses: Analyses,
    features: Features,
    params: types.SignatureHelpParams,
) -> types.SignatureHelp | None:
    """The signature of the innermost call on a VJP around the cursor; None outside of any."""
    uri = params.text_document.uri
    module_uri = documents.module_uri(uri)
    if module_uri is None:
        return None
    try:
        module, analysis = await analyses.of(module_uri, urgent=True)
        part = module.part(uri)
        if part is None:
            return None
        inside = to_offset(part.text, params.position, features.encoding)
        offset = part.start + inside
        text = Text(module.snapshot.text)
        call = _around(vjp_calls(analysis, text), offset)
        if call is None and _MAKES_VJPS.search(text.content):
            completed = completed_at(part.text.content, inside)
            if completed is None:
                return None
            texts = [completed if one is part else one.text.content for one in module.parts]
            variant = module.with_texts(texts)
            call = await analyses.ask(_asking(analyses, module, variant, offset), module)
            text = Text(variant.snapshot.text)
    except Superseded:
        return None
    return None if call is None else _help(call, text, offset)


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


def _asking(
    analyses: Analyses, module: Module, variant: Module, offset: int
) -> Callable[[Cancel], VjpCall | None]:
    analyse = analyses.repeatable(module)

    def run(cancel: Cancel) -> VjpCall | None:
        calls = vjp_calls(analyse(variant, cancel), Text(variant.snapshot.text))
        return _around(calls, offset)

    return run


def _around(calls: list[VjpCall], offset: int) -> VjpCall | None:
    around = [one for one in calls if one.brackets.start <= offset <= one.brackets.end]
    return max(around, key=lambda one: one.brackets.start, default=None)


def _help(call: VjpCall, text: Text, offset: int) -> types.SignatureHelp:
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
    active = 0
    for argument in call.arguments or ():
        if "," in text.content[argument.end : offset]:
            active += 1
    return types.SignatureHelp(
        [types.SignatureInformation(label, _markdown(about), parameters)],
        active_signature=0,
        active_parameter=min(active, max(len(parameters) - 1, 0)),
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
