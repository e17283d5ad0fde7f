"""A stand-in for the analysis: what the command line does with findings is tested here, not what is found."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from jaxref import engine
from jaxref.cli.main import main
from jaxref.diagnostics.model import Diagnostic, Related, Severity
from jaxref.engine import Analysis, Described, Snapshot
from jaxref.fixes.model import Applicability, Edit, Fix
from jaxref.settings import Settings
from jaxref.source.text import Span, Text

WORDS: dict[str, tuple[str, Severity, str | None, Applicability]] = {
    "bad": ("bad-rule", "error", "good", "safe"),
    "worse": ("worse-rule", "error", "good", "unsafe"),
    "odd": ("odd-rule", "warning", None, "safe"),
    "dim": ("dim-rule", "hint", None, "safe"),
}
"""What is found: a word, its rule and severity, the word to put there and how sure that is."""


def analyse(
    snapshot: Snapshot, settings: Settings, cancel: Callable[[], bool] = lambda: False
) -> Analysis:
    """Finds the words of `WORDS`; `related` and `elsewhere` in the text add related places."""
    del cancel
    text = snapshot.text
    if "explode" in text:
        raise RuntimeError("the analysis exploded")
    found = []
    texts = {snapshot.path: Text(text)}
    for word, (rule, severity, new, applicability) in WORDS.items():
        for match in re.finditer(rf"\b{word}\b", text):
            if not settings.enabled(rule):
                continue
            span = Span(*match.span())
            fixes = ()
            if new is not None:
                fix = Fix(f"Write `{new}`", (Edit(span, new),), applicability, preferred=True)
                fixes = (fix,)
            related = [
                Related(snapshot.path, Span(*place.span()), "this place matters")
                for place in re.finditer(r"\brelated\b", text)
            ]
            if "elsewhere" in text:
                other = str(Path(snapshot.path).parent / "other.py")
                texts[other] = Text("one\ntwo = three\n")
                related.append(Related(other, Span(4, 7), "made here"))
            level = settings.severity_of(rule, severity)
            message = f"`{word}` is {word}, write something better"
            found.append(
                Diagnostic(snapshot.path, rule, level, message, span, tuple(related), fixes)
            )

    def described() -> tuple[Described, ...]:
        names = re.finditer(r"\b[a-z]+_ref\b", text)
        return tuple(
            Described(Span(*name.span()), "ref", f"{name.group()}: Ref", f"**{name.group()}**")
            for name in names
        )

    def describe(offset: int) -> Described | None:
        return next((one for one in described() if one.span.contains(offset)), None)

    return Analysis(
        snapshot,
        tuple(sorted(found, key=lambda one: one.span)),
        incomplete=("too much of it",) if "partly" in text else (),
        failures=("a rule fell over",) if "halfway" in text else (),
        texts=texts,
        describe=describe,
        described=described,
    )


@dataclass(frozen=True)
class FakeRule:
    """A rule as far as the command line knows rules."""

    name: str
    severity: Severity
    summary: str


@dataclass(frozen=True)
class Result:
    """What a command came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where results are kept: a new folder for each test."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("JAXREF_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def run(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Run:
    """Runs a command in an empty folder with the stand-in analysis."""
    registry = types.ModuleType("jaxref.rules.registry")
    registry.all_rules = lambda: [  # type: ignore[attr-defined]
        FakeRule(rule, severity, f"{word} words") for word, (rule, severity, _, _) in WORDS.items()
    ]
    monkeypatch.setitem(sys.modules, "jaxref.rules.registry", registry)
    pages = tmp_path_factory.mktemp("pages")
    for word, (rule, *_) in WORDS.items():
        examples = "## Examples\n\n<!-- jax: any -->\n\n```python\none\n```\n\nmore\n"
        (pages / f"{rule}.md").write_text(f"# {rule}\n\nAbout {word} words.\n\n{examples}")
    monkeypatch.setattr("jaxref.cli.pages._PLACES", (pages,))
    monkeypatch.setattr(engine, "analyse", analyse)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "JAXREF_OUTPUT_FORMAT"):
        monkeypatch.delenv(name, raising=False)

    def run_command(*arguments: str) -> Result:
        capfd.readouterr()
        code = main(arguments)
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return run_command


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Writes a file in that folder."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


@pytest.fixture
def words() -> dict[str, tuple[str, Severity, str | None, Applicability]]:
    """What the stand-in analysis finds."""
    return WORDS
