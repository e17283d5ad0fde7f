"""What an analysis that the server makes is given of those before it."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from lsprotocol import types

from jaxref.engine import Analysis, Snapshot
from jaxref.lsp.analyses import Analyses, Cancel
from jaxref.lsp.documents import Documents
from jaxref.lsp.worker import Worker
from jaxref.reuse import Kept
from jaxref.settings import Settings

URI = "file:///nowhere/a.py"


def test_each_analysis_takes_over_from_the_one_before() -> None:
    made: list[Snapshot] = []

    def analyse(snapshot: Snapshot, settings: Settings, cancel: Cancel) -> Analysis:
        made.append(snapshot)
        return Analysis(snapshot, kept=cast("Kept", f"kept of {snapshot.text}"))

    async def talk() -> None:
        async def ready() -> None:
            pass

        ignore: Any = lambda *about: None  # noqa: E731
        documents, worker = Documents(), Worker()
        analyses = Analyses(
            documents, worker, analyse, settings_of=lambda module: Settings(),
            excludes=lambda module: False, ready=ready, late=ignore, failed=ignore,
            failed_inside=ignore, finished=ignore,
        )  # fmt: skip
        documents.open(types.TextDocumentItem(URI, "python", 1, "one"))
        await analyses.of(URI, urgent=True)
        documents.close(URI)
        documents.open(types.TextDocumentItem(URI, "python", 2, "two"))
        analyses.outdated(URI)
        module, _ = await analyses.of(URI, urgent=True)
        variant = module.with_texts(["three"])
        analyses.repeatable(module, as_edited=True)(variant, lambda: False)
        analyses.repeatable(module)(variant, lambda: False)
        worker.stop()

    asyncio.run(talk())
    assert [(one.text, one.is_edited, one.earlier) for one in made] == [
        ("one", True, None),
        ("two", True, "kept of one"),
        ("three", True, "kept of two"),
        ("three", False, None),
    ]
