"""The server with an analysis that obeys marks in the text, so that tests say what is found where.

BAD      an error with a safe fix (GOOD), related to the first REL
BLUE     a warning with an unsafe fix (AZURE)
LOST     an error without a fix, for a reason; so is GONE, without one
OLD      a hint that its place is without effect
CHAIN    an error whose safe fix makes BAD of it
SLOW     each takes a tenth of a second, giving up when asked to
STUCK    takes a second, and does not give up
CRASH    raises
USES x   depends on the file x beside this one; its text is the message of a finding
name     an identifier of four letters is described by a hover
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable

from jaxref.diagnostics.model import Diagnostic, Related
from jaxref.engine import Analysis, AnalysisCancelled, Described, Snapshot
from jaxref.fixes.model import Edit, Fix
from jaxref.lsp import rulebook
from jaxref.lsp.server import serve
from jaxref.settings import Settings
from jaxref.source.text import Span, Text

late: set[str] = set()


def analyse(snapshot: Snapshot, settings: Settings, cancel: Callable[[], bool]) -> Analysis:
    print("this must not reach the client")
    text, path = snapshot.text, snapshot.path
    for slow in re.findall("SLOW|STUCK", text):
        for _ in range(10 if slow == "SLOW" else 100):
            if slow == "SLOW" and cancel():
                raise AnalysisCancelled
            time.sleep(0.01)
    if "CRASH" in text:
        raise ZeroDivisionError("as the text wants it")
    found: list[Diagnostic] = []
    related = [
        Related(path, Span(*one.span()), "here it began") for one in re.finditer("REL", text)
    ][:1]
    for one in re.finditer(r"\b(BAD|BLUE|LOST|GONE|OLD|CHAIN)\b", text):
        span = Span(*one.span())

        def fix(title: str, new: str, safe: bool, span: Span = span) -> Fix:
            return Fix(title, (Edit(span, new),), "safe" if safe else "unsafe", preferred=safe)

        match one.group():
            case "BAD":
                fixes = (fix("Make it good", "GOOD", True), fix("Drop it", "None", False))
                found.append(
                    Diagnostic(path, "bad-word", "error", "`BAD`", span, tuple(related), fixes)
                )
            case "BLUE":
                fixes = (fix("Name the colour", "AZURE", False),)
                found.append(Diagnostic(path, "blue-word", "warning", "blue", span, (), fixes))
            case "LOST":
                why = ("nobody knows where it is", "it is dark")
                found.append(Diagnostic(path, "lost-word", "error", "lost", span, refusals=why))
            case "GONE":
                found.append(Diagnostic(path, "ref-as-array", "error", "gone", span))
            case "OLD":
                found.append(Diagnostic(path, "unused-ignore", "hint", "no effect", span))
            case _:
                fixes = (fix("One step", "BAD", True),)
                found.append(Diagnostic(path, "bad-chain", "error", "chain", span, (), fixes))
    dependencies = set()
    texts = {path: Text(text)}
    settled = True
    for one in re.finditer(r"USES (\w+\.py)", text):
        used = os.path.join(os.path.dirname(path), one[1])
        dependencies.add(used)
        content = snapshot.overlay.get(used)
        if content is None:
            try:
                with open(used, encoding="utf-8", newline="") as file:
                    content = file.read()
            except OSError:
                content = "missing"
        texts[used] = Text(content)
        there = Related(used, Span(0, len(content.rstrip())), "in the other file")
        message = content.strip()
        found.append(Diagnostic(path, "used-file", "error", message, Span(*one.span()), (there,)))
    if "--echo" in sys.argv:
        found = [Diagnostic(path, "echo", "info", text, Span(0, len(text)))]
    if "LATE" in text:
        if path in late:
            found.append(Diagnostic(path, "late", "info", "known at last", Span(0, 0)))
        elif snapshot.when_late is not None:
            late.add(path)
            settled = False
            threading.Timer(0.05, snapshot.when_late).start()
    if settings.jax_version is not None:
        message = ".".join(map(str, settings.jax_version))
        found.append(Diagnostic(path, "jax-version", "info", message, Span(0, 0)))
    kept = [one for one in found if settings.enabled(one.rule)]

    def describe(offset: int) -> Described | None:
        for one in re.finditer(r"\b\w{4}\b", text):
            if one.start() <= offset <= one.end():
                if one.group() == "Boom":
                    raise ZeroDivisionError("as the text wants it")
                word = one.group()
                markdown = f"**{word}**\n\n| a | b |\n|---|---|\n| `{word}` | 2 |\n"
                return Described(Span(*one.span()), "word", word, markdown)
        return None

    return Analysis(
        snapshot,
        tuple(sorted(kept, key=lambda one: one.span)),
        texts=texts,
        dependencies=frozenset(dependencies),
        describe=describe,
        settled=settled,
    )


if __name__ == "__main__":
    book = {**rulebook.summaries()}
    book.update(dict.fromkeys(["bad-word", "blue-word", "bad-chain"], "a word"))
    rulebook.summaries = lambda: book
    options = sys.argv[1:]
    sys.exit(
        serve(
            stdio="--tcp" not in options,
            tcp=("127.0.0.1", 0) if "--tcp" in options else None,
            log_level="debug" if "--debug" in options else "warning",
            analyse=analyse,
            quiet=0.0 if "--echo" in options else 300.0 if "--patient" in options else 0.15,
        )
    )
