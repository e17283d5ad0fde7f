"""What an analysis that the server makes is given of those before it."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from lsprotocol import types

from jaxref.engine import Analysis, Snapshot
from jaxref.lsp.analyses import Analyse, Analyses, Cancel
from jaxref.lsp.documents import Documents, Module
from jaxref.lsp.worker import Worker
from jaxref.reuse import Kept
from jaxref.settings import Settings

URI = "file:///nowhere/a.py"


def made_of(documents: Documents, analyse: Analyse) -> Analyses:
    async def ready() -> None:
        pass

    ignore: Any = lambda *about: None  # noqa: E731
    return Analyses(
        documents, Worker(), analyse, settings_of=lambda module: Settings(),
        excludes=lambda module: False, ready=ready, late=ignore, failed=ignore,
        failed_inside=ignore, finished=ignore,
    )  # fmt: skip


def test_each_analysis_takes_over_from_the_one_before() -> None:
    made: list[Snapshot] = []

    def analyse(snapshot: Snapshot, settings: Settings, cancel: Cancel) -> Analysis:
        made.append(snapshot)
        return Analysis(snapshot, kept=cast("Kept", f"kept of {snapshot.text}"))

    async def talk() -> None:
        documents = Documents()
        analyses = made_of(documents, analyse)
        documents.open(types.TextDocumentItem(URI, "python", 1, "one"))
        await analyses.of(URI, urgent=True)
        documents.open(types.TextDocumentItem(URI, "python", 2, "two"))
        analyses.outdated(URI)
        module, _ = await analyses.of(URI, urgent=True)
        variant = module.with_texts(["three"])
        analyses.repeatable(module, as_edited=True)(variant, lambda: False)
        analyses.repeatable(module)(variant, lambda: False)

    asyncio.run(talk())
    assert [(one.text, one.is_edited, one.earlier) for one in made] == [
        ("one", True, None),
        ("two", True, "kept of one"),
        ("three", True, "kept of two"),
        ("three", False, None),
    ]


def test_an_answer_is_worked_out_anew_where_something_else_than_the_text_changes() -> None:
    asked: list[int] = []

    async def talk() -> tuple[int, int]:
        loop, documents = asyncio.get_running_loop(), Documents()
        analyses = made_of(documents, lambda snapshot, settings, cancel: Analysis(snapshot))
        documents.open(types.TextDocumentItem(URI, "python", 1, "one"))

        async def touch() -> None:
            documents.touch(URI)
            analyses.outdated(URI)

        def work_out(module: Module, analysis: Analysis) -> int:
            asked.append(module.revision)
            if len(asked) == 1:
                asyncio.run_coroutine_threadsafe(touch(), loop).result()
            return module.revision

        module, _, answer = await analyses.answer(URI, work_out)
        return module.revision, answer

    revision, answer = asyncio.run(talk())
    assert len(asked) == 2
    assert asked[1] == revision == answer
