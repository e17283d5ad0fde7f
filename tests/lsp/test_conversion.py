"""Field by field, messages come to what lsprotocol's own converter makes of them."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from cattrs import BaseValidationError, Converter
from lsprotocol import converters, types

from jaxref.lsp.conversion import _FIELD_BY_FIELD, key_of, lenient_converter

POSITION = {"line": 1, "character": 2}
RANGE = {"start": POSITION, "end": {"line": 3, "character": 4}}
IDENTIFIER = {"uri": "file:///a.py"}
DIAGNOSTIC = {
    "range": RANGE,
    "message": "m",
    "severity": 2,
    "code": "c",
    "tags": [1],
    "relatedInformation": [{"location": {"uri": "file:///b.py", "range": RANGE}, "message": "r"}],
    "data": {"some": [1, None]},
}
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16", "utf-8"]},
    "textDocument": {
        "diagnostic": {"dynamicRegistration": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        "synchronization": {"didSave": True},
    },
    "workspace": {"configuration": True, "workspaceFolders": False},
    "notebookDocument": {"synchronization": {"dynamicRegistration": True}},
}
SERVER = {
    "positionEncoding": "utf-16",
    "textDocumentSync": {"openClose": True, "change": 2},
    "hoverProvider": True,
    "codeActionProvider": {"codeActionKinds": ["quickfix"], "resolveProvider": True},
    "notebookDocumentSync": {
        "notebookSelector": [{"notebook": "*", "cells": [{"language": "python"}]}]
    },
}
EDIT = {"textDocument": {"uri": "file:///a.py", "version": None}, "edits": []}
MESSAGES: list[tuple[type, dict[str, Any]]] = [
    (
        types.InitializeRequest,
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "processId": None,
                "rootUri": "file:///a",
                "capabilities": CAPABILITIES,
                "initializationOptions": {"hints": [1, {"a": None}]},
                "workspaceFolders": [{"uri": "file:///a", "name": "a"}],
            },
        },
    ),
    (types.InitializeResult, {"capabilities": SERVER, "serverInfo": {"name": "n"}}),
    (types.DidChangeTextDocumentParams, {
        "textDocument": {**IDENTIFIER, "version": 2},
        "contentChanges": [{"range": RANGE, "text": "a"}, {"text": "b"}],
    }),
    (types.CodeActionParams, {
        "textDocument": IDENTIFIER, "range": RANGE, "context": {"diagnostics": [DIAGNOSTIC]},
    }),
    (types.PublishDiagnosticsParams, {"uri": "file:///a.py", "diagnostics": [DIAGNOSTIC] * 3}),
    (types.CodeAction, {
        "title": "t", "kind": "quickfix", "edit": {"documentChanges": [EDIT]}, "data": 3,
    }),
    (types.RegistrationParams, {"registrations": [{"id": "i", "method": "m"}]}),
    (types.Hover, {"contents": {"kind": "markdown", "value": "v"}, "range": RANGE}),
    (types.InlayHint, {"position": POSITION, "label": [{"value": "v"}], "kind": 1}),
]  # fmt: skip
WRONG: list[tuple[type, Any]] = [
    (types.Position, {"line": "x", "character": 2}),
    (types.Position, {"line": 1}),
    (types.Range, {"start": POSITION, "end": {"line": 1}}),
    (types.TextDocumentItem, 7),
    (types.CodeActionParams, {"textDocument": IDENTIFIER, "range": RANGE, "context": {"diagnostics": [{}]}}),
]  # fmt: skip


def lsprotocols_own() -> Converter:
    return converters.get_converter()


def new() -> Converter:
    return lenient_converter.__wrapped__()


@pytest.mark.parametrize(
    ("kind", "message"), MESSAGES, ids=lambda one: getattr(one, "__name__", "")
)
def test_the_same_as_by_lsprotocols_converter(kind: type, message: dict[str, Any]) -> None:
    own, made = lsprotocols_own(), new()
    expected = own.structure(message, kind)
    # The last times by what was generated.
    for _ in range(_FIELD_BY_FIELD + 2):
        found = made.structure(message, kind)
        assert found == expected
        assert made.unstructure(found) == own.unstructure(expected)


@pytest.mark.parametrize(("kind", "message"), WRONG)
def test_what_is_wrong_is_told_in_the_same_words(kind: type, message: Any) -> None:
    assert told(new(), kind, message) == told(lsprotocols_own(), kind, message)


def told(converter: Converter, kind: type, message: Any) -> object:
    def words(error: BaseException) -> object:
        inside = error.exceptions if isinstance(error, BaseValidationError) else ()
        notes = [str(one) for one in getattr(error, "__notes__", ())]
        return type(error).__name__, str(error), notes, [words(one) for one in inside]

    with pytest.raises(Exception) as raised:
        converter.structure(message, kind)
    return words(raised.value)


def test_all_fields_are_called_what_lsprotocol_calls_them() -> None:
    own = lsprotocols_own()
    for cls in types.ALL_TYPES_MAP.values():
        if isinstance(cls, type) and attrs.has(cls):
            generated: Any = own.get_unstructure_hook(cls)
            for name, said in generated.overrides.items():
                assert key_of(name) == said.rename, (cls, name)


def test_what_the_protocol_does_not_list_is_taken() -> None:
    value = new().structure({"valueSet": [1, 99]}, types.ClientSymbolKindOptions)
    assert list(value.value_set) == [types.SymbolKind.File, 99]
