"""Rule pages: prose, and Python fences that say on each line what jaxref and JAX say of it.

Comments on a line, several of them separated by ` # `, and the code line they speak of directly
below where they stand alone:

    # error: [rule] "part of the message"     jaxref finds it here (also warning, info, hint)
    # misses: [rule]                          a known gap: jaxref does not find it here yet (where JAX
                                              raises: not as an error)
    # revealed: text                          `text` is in what jaxref knows of a value on the line
    # raises: ValueError "part"               JAX raises, with its innermost frame on this line
    # wrong: <expression>, meant <value>      runs, but <expression> is not <value> afterwards

`raises(<0.11): ...` holds for those JAX versions only, and so for every keyword. `<!-- jax: >=0.11 -->`
says for which versions the fences after it are, up to the next such line (`<!-- jax: any -->`).

Words after ```` ```python ````: `continue` (the text goes on from the fence before), `fixed` (the
text of the fence before after its preferred fixes), `fixed="title prefix"` (after those fixes).
"""

from __future__ import annotations

import io
import re
import shlex
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

from packaging.specifiers import InvalidSpecifier, SpecifierSet

FINDINGS = ("error", "warning", "info", "hint")

KNOWN_VERSIONS = ("0.12.0.1", "0.11.2", "0.10.2", "0.9.2", "0.8.3")
"""The JAX versions that pages speak of, the newest first."""

_KEYWORD = r"(?:error|warning|info|hint|misses|revealed|raises|wrong)(?:\([^()]*\))?:"
_SEPARATOR = re.compile(rf"\s+#\s*(?={_KEYWORD})")
_EXPECTATION = re.compile(
    r"(?P<kind>error|warning|info|hint|misses|revealed|raises|wrong)(?:\((?P<versions>[^()]*)\))?:\s*(?P<rest>.+)"
)
_RULE = re.compile(r"""\[(?P<rule>[a-z][a-z-]*)\](?:\s+(?P<quote>["'])(?P<part>.*)(?P=quote))?""")
_EXCEPTION = re.compile(r"""(?P<name>[A-Za-z_.]+)(?:\s+(?P<quote>["'])(?P<part>.*)(?P=quote))?""")
_WRONG = re.compile(r"(?P<expression>.+), meant (?P<meant>.+)")
_FENCE = re.compile(r"(?P<ticks>`{3,})python(?:\s+(?P<words>.*))?")
_DIRECTIVE = re.compile(r"<!--\s*jax:\s*(?P<versions>.*?)\s*-->")


class PageError(Exception):
    """A page that cannot be understood; the message begins with its file and line."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """One claim of a page. `line` counts from 1 in the fence's text.

    `subject` is the rule, the exception's name, the wrong expression or the revealed text; `part`
    the quoted part of the message, or what was meant.
    """

    kind: str
    line: int
    subject: str
    part: str = ""
    versions: SpecifierSet = field(default_factory=SpecifierSet)


@dataclass(frozen=True, slots=True)
class Fence:
    """One Python fence as a program of its own; a continued fence holds what it continues.

    `line` is the page's line of the fence's opening, `first` the first line of `text` that is new
    here, and `fixes` is None, or the title prefix ("" for the preferred fix) of a `fixed` fence.
    """

    page: str
    line: int
    text: str
    first: int
    expectations: tuple[Expectation, ...]
    versions: SpecifierSet
    fixes: str | None = None
    base: Fence | None = None

    def page_line(self, line: int) -> int:
        """The page's line for a line of `text` (of the last part, where it is continued)."""
        return self.line + 1 + line - self.first

    def place(self, line: int) -> str:
        """`page:line` for messages."""
        if line < self.first:
            return f"{self.page}:{self.line} (line {line} of what it continues)"
        return f"{self.page}:{self.page_line(line)}"

    def version(self, oracle: str | None = None) -> str:
        """The JAX version to analyse for: the oracle's where the fence is for it, else the newest."""
        if oracle is not None and self.versions.contains(oracle, prereleases=True):
            return oracle
        return next((v for v in KNOWN_VERSIONS if self.versions.contains(v)), KNOWN_VERSIONS[0])

    def expected(self, version: str, *kinds: str) -> list[Expectation]:
        """The expectations of these kinds that hold for a JAX version."""
        return [
            e
            for e in self.expectations
            if e.kind in kinds and e.versions.contains(version, prereleases=True)
        ]


@dataclass(frozen=True, slots=True)
class Page:
    """A page with its fences in order, and its headings as (level, text, line)."""

    path: Path
    fences: tuple[Fence, ...]
    headings: tuple[tuple[int, str, int], ...]


def read_page(path: Path) -> Page:
    """Parse a page from disk."""
    return parse_page(path, path.read_text(encoding="utf-8"))


def parse_page(path: Path, text: str) -> Page:
    """Parse a page. Raises `PageError` for anything that looks like an expectation but is none."""
    fences: list[Fence] = []
    headings: list[tuple[int, str, int]] = []
    versions = SpecifierSet()
    lines = text.splitlines()
    index = 0
    while index < len(lines):
        line, number = lines[index], index + 1
        index += 1
        if match := _DIRECTIVE.fullmatch(line.strip()):
            versions = _versions(match["versions"], f"{path.name}:{number}")
        elif match := re.fullmatch(r"(#{1,6})\s+(.*)", line):
            headings.append((len(match[1]), match[2].strip(), number))
        elif line.lstrip().startswith("```"):
            ticks = re.match(r"\s*(`+)", line)
            assert ticks is not None
            closing = index
            while closing < len(lines) and lines[closing].strip() != ticks[1]:
                closing += 1
            if closing == len(lines):
                raise PageError(f"{path.name}:{number}: the fence is never closed")
            if match := _FENCE.fullmatch(line):
                body = "".join(f"{item}\n" for item in lines[index:closing])
                words = match["words"] or ""
                fences.append(_fence(path.name, number, words, body, versions, fences))
            index = closing + 1
    return Page(path, tuple(fences), tuple(headings))


def _fence(
    page: str, line: int, words: str, body: str, versions: SpecifierSet, earlier: list[Fence]
) -> Fence:
    fixes: str | None = None
    text, first, kept = body, 1, ()
    for word in shlex.split(words):
        if word == "continue":
            if not earlier:
                raise PageError(f"{page}:{line}: nothing before this fence to continue")
            text = earlier[-1].text + body
            first = earlier[-1].text.count("\n") + 1
            kept = earlier[-1].expectations
        elif word == "fixed" or word.startswith("fixed="):
            fixes = word.removeprefix("fixed").removeprefix("=")
        else:
            raise PageError(f"{page}:{line}: unknown word {word!r} after ```python")
    bases = [fence for fence in earlier if fence.fixes is None]
    if fixes is not None and not bases:
        raise PageError(f"{page}:{line}: no fence before this one to fix")
    expectations = (*kept, *_expectations(page, line, body, first))
    base = bases[-1] if fixes is not None else None
    return Fence(page, line, text, first, expectations, versions, fixes, base)


def _expectations(page: str, opening: int, body: str, first: int) -> list[Expectation]:
    found: list[Expectation] = []
    waiting: list[tuple[str, int]] = []
    code: set[int] = set()
    comments: dict[int, str] = {}
    for token in _tokens(body):
        if token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.string
        elif token.type not in _LAYOUT:
            code.update(range(token.start[0], token.end[0] + 1))
    for line in range(1, body.count("\n") + 1):
        parts = _SEPARATOR.split(comments.get(line, ""))
        said = [(part.lstrip("# "), line) for part in parts if re.match(rf"#?\s*{_KEYWORD}", part)]
        if line not in code:
            waiting += said
            continue
        for part, written in (*waiting, *said):
            where = f"{page}:{opening + written}"
            found.append(_expectation(part, line + first - 1, where))
        waiting = []
    if waiting:
        raise PageError(f"{page}:{opening + waiting[0][1]}: no code line below to speak of")
    return found


_LAYOUT = {
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
    tokenize.COMMENT,
}


def _tokens(text: str) -> list[tokenize.TokenInfo]:
    """The tokens up to where the text stops being Python."""
    tokens: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            tokens.append(token)  # noqa: PERF402
    except (tokenize.TokenError, SyntaxError):
        pass
    return tokens


def _expectation(text: str, line: int, where: str) -> Expectation:
    match = _EXPECTATION.fullmatch(text.strip())
    if match is None:
        raise PageError(f"{where}: not an expectation: {text}")
    kind, rest = match["kind"], match["rest"].strip()
    versions = _versions(match["versions"] or "", where)
    if kind == "revealed":
        return Expectation(kind, line, rest, "", versions)
    if kind == "wrong":
        wrong = _WRONG.fullmatch(rest)
        if wrong is None:
            raise PageError(f"{where}: `wrong` wants `<expression>, meant <value>`: {rest}")
        return Expectation(kind, line, wrong["expression"], wrong["meant"], versions)
    if kind == "raises":
        raised = _EXCEPTION.fullmatch(rest)
        if raised is None:
            raise PageError(f'{where}: `raises` wants `ExceptionName "part"`: {rest}')
        return Expectation(kind, line, raised["name"], raised["part"] or "", versions)
    rule = _RULE.fullmatch(rest)
    if rule is None:
        raise PageError(f'{where}: `{kind}` wants `[rule] "part"`: {rest}')
    return Expectation(kind, line, rule["rule"], rule["part"] or "", versions)


def without_expectations(text: str) -> str:
    """The program as a user would have it: the pages' comments gone, all others kept."""
    lines = text.splitlines()
    gone: set[int] = set()
    for token in _tokens(text):
        if token.type != tokenize.COMMENT or not re.search(rf"#\s*{_KEYWORD}", token.string):
            continue
        row, column = token.start
        parts = _SEPARATOR.split(token.string)
        kept = [part for part in parts if not re.match(rf"#?\s*{_KEYWORD}", part)]
        code = lines[row - 1][:column]
        lines[row - 1] = (code + " # ".join(kept)).rstrip()
        if not code.strip() and not kept:
            gone.add(row - 1)
    return "".join(f"{line}\n" for index, line in enumerate(lines) if index not in gone)


def _versions(text: str, where: str) -> SpecifierSet:
    try:
        return SpecifierSet("" if text == "any" else text)
    except InvalidSpecifier:
        raise PageError(f"{where}: not a version range: {text}") from None
