"""What the client can do, read once from its capabilities."""

from __future__ import annotations

from lsprotocol import types
from pygls.capabilities import get_capability

from jaxref.lsp.positions import Encoding, chosen_encoding
from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Features:
    """The client's abilities that change what the server sends."""

    encoding: Encoding = "utf-16"
    related_information: bool = False
    code_description: bool = False
    diagnostic_data: bool = False
    diagnostic_tags: frozenset[int] = frozenset()
    pull: bool = False
    pull_dynamic: bool = False
    pull_refresh: bool = False
    configuration: bool = False
    configuration_dynamic: bool = False
    watched_files_dynamic: bool = False
    document_changes: bool = False
    change_annotations: bool = False
    action_resolve: bool = False
    hover_markdown: bool = False
    hint_tooltip_resolve: bool = False
    hint_refresh: bool = False
    work_done: bool = False
    disabled_actions: bool = False


def features_of(capabilities: types.ClientCapabilities) -> Features:
    """The features behind a client's capabilities; what it does not mention it cannot do."""

    def has(name: str) -> bool:
        return bool(get_capability(capabilities, name, False))

    def diagnostics_have(name: str) -> bool:
        return has(f"text_document.publish_diagnostics.{name}") or has(
            f"text_document.diagnostic.{name}"
        )

    tags = get_capability(capabilities, "text_document.publish_diagnostics.tag_support", None)
    formats = get_capability(capabilities, "text_document.hover.content_format", None) or ()
    resolvable = (
        get_capability(capabilities, "text_document.code_action.resolve_support.properties", None)
        or ()
    )
    hint_properties = (
        get_capability(capabilities, "text_document.inlay_hint.resolve_support.properties", None)
        or ()
    )
    return Features(
        encoding=chosen_encoding(get_capability(capabilities, "general.position_encodings", None)),
        related_information=diagnostics_have("related_information"),
        code_description=diagnostics_have("code_description_support"),
        diagnostic_data=diagnostics_have("data_support"),
        diagnostic_tags=frozenset(int(tag) for tag in tags.value_set) if tags else frozenset(),
        pull=get_capability(capabilities, "text_document.diagnostic", None) is not None,
        pull_dynamic=has("text_document.diagnostic.dynamic_registration"),
        pull_refresh=has("workspace.diagnostics.refresh_support"),
        configuration=has("workspace.configuration"),
        configuration_dynamic=has("workspace.did_change_configuration.dynamic_registration"),
        watched_files_dynamic=has("workspace.did_change_watched_files.dynamic_registration"),
        document_changes=has("workspace.workspace_edit.document_changes"),
        change_annotations=(
            has("workspace.workspace_edit.document_changes")
            and has("workspace.workspace_edit.change_annotation_support")
            and has("text_document.code_action.honors_change_annotations")
        ),
        action_resolve="edit" in resolvable and has("text_document.code_action.data_support"),
        hover_markdown=any(kind == types.MarkupKind.Markdown for kind in formats),
        hint_tooltip_resolve="tooltip" in hint_properties,
        hint_refresh=has("workspace.inlay_hint.refresh_support"),
        work_done=has("window.work_done_progress"),
        disabled_actions=has("text_document.code_action.disabled_support"),
    )
