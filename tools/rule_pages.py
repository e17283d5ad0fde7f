"""The pages for readers, docs/rules, made of the executed pages, tests/rules, and of the rule book.

python tools/rule_pages.py            writes docs/rules
python tools/rule_pages.py --check    ends with 1 when docs/rules is not what would be written
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
SOURCES = REPOSITORY / "tests" / "rules"
PAGES = REPOSITORY / "docs" / "rules"

sys.path.insert(0, str(REPOSITORY / "server"))

from jaxref.cli.pages import Listed, listed_rules, page_of  # noqa: E402
from jaxref.fixes.builders import remedies_for  # noqa: E402
from jaxref.rules.model import Rule  # noqa: E402
from jaxref.rules.registry import rule_named  # noqa: E402

_KINDS = "error|warning|info|hint|misses|revealed|raises|wrong"
_CLAIM = re.compile(rf"#\s*(?P<kind>{_KINDS})(?:\((?P<versions>[^()]*)\))?:\s*(?P<rest>.*)")
_CLAIMS = re.compile(rf"(?:^|(?<=\s))#\s*(?:{_KINDS})(?:\([^()]*\))?:\s")
_SEPARATOR = re.compile(rf"\s+(?=#\s*(?:{_KINDS})(?:\([^()]*\))?:\s)")
_DIRECTIVE = re.compile(r"<!--\s*jax:\s*(?P<versions>.*?)\s*-->")
_NAME = re.compile(r"`(?P<name>[a-z]+(?:-[a-z]+)+)`")


def pages() -> dict[str, str]:
    """The text of each file of docs/rules, by its name."""
    rules = listed_rules()
    names = {rule.name for rule in rules}
    made = {f"{rule.name}.md": _page(rule, names) for rule in rules}
    return {"index.md": _index(rules), **made}


def readable(line: str) -> str:
    """A line of an example with what the tests check of it in words."""
    found = _CLAIMS.search(line)
    if found is None:
        return line
    parts = _SEPARATOR.split(line[found.start() :])
    words = [_in_words(part) for part in parts]
    code = line[: found.start()]
    return f"{code.rstrip() + '  ' if code.strip() else code}# {'; '.join(filter(None, words))}"


def _in_words(claim: str) -> str:
    found = _CLAIM.fullmatch(claim.strip())
    if found is None:
        return claim.strip().removeprefix("#").strip()
    rest = found["rest"]
    versions = f" {found['versions']}" if found["versions"] else ""
    match found["kind"]:
        case "raises":
            return f"JAX{versions} raises {_quoted(rest, ': ')}"
        case "wrong":
            expression, _, meant = rest.partition(", meant ")
            return f"JAX{versions} is silently wrong: {expression} should be {meant}"
        case "misses":
            return "jaxref does not find this yet"
        case "revealed":
            return f"jaxref knows: {rest}"
        case kind:
            of_version = f" for JAX{versions}" if versions else ""
            return f"jaxref says{of_version} {kind}{_quoted(rest, ' ')}"


def _quoted(claim: str, join: str) -> str:
    """`Name "part of the message"` as it reads."""
    return re.sub(r"\s+([\"'])(.*)\1$", lambda found: f"{join}...{found[2]}...", claim)


def _page(rule: Listed, names: set[str]) -> str:
    source = SOURCES / f"{rule.name}.md"
    own = source.read_text(encoding="utf-8") if source.exists() else page_of(rule.name) or ""
    title, _, body = own.partition("\n")
    lines = []
    inside = False
    for line in body.splitlines():
        fence = re.match(r"(```+)\s*(\w*)(?:\s+(.*))?$", line)
        directive = _DIRECTIVE.fullmatch(line.strip())
        if fence is not None:
            inside = not inside
            if "fixed" in (fence[3] or ""):
                lines += ["After the fix:", ""]
            lines.append(fence[1] + fence[2])
        elif inside:
            lines.append(readable(line))
        elif directive is not None:
            lines.append(_for_versions(directive["versions"]))
        else:
            lines.append(_linked(line, names - {rule.name}))
    text = re.sub(r"<!--.*?-->\n*", "", "\n".join(lines), flags=re.DOTALL).strip()
    about = _about(rule, rule_named(rule.name))
    return f"{title}\n\n{about}\n\n{text}\n\n{_silencing(rule.name)}"


def _for_versions(versions: str) -> str:
    if versions == "any":
        return "*With any version of JAX:*"
    return f"*With JAX {versions.replace('>=', '')} or later:*"


def _linked(line: str, names: set[str]) -> str:
    return _NAME.sub(
        lambda found: f"[{found[0]}]({found['name']}.md)" if found["name"] in names else found[0],
        line,
    )


def _about(rule: Listed, of_book: Rule | None) -> str:
    """What a reader wants to know first, in one line."""
    parts = [f"**{rule.severity}**", *([_what_jax_does(of_book)] if of_book is not None else [])]
    if remedies_for(rule.name):
        parts.append("fixes are offered")
    if of_book is not None and not of_book.default:
        parts.append("only when selected")
    return " · ".join(parts)


def _what_jax_does(rule: Rule) -> str:
    if not rule.raises:
        return "JAX is silent"
    *others, last = (f"`{name}`" for name in rule.raises)
    return f"JAX raises {', '.join(others) + ' or ' if others else ''}{last}"


def _silencing(name: str) -> str:
    code = f"# jaxref: ignore[{name}] -- why"
    setting = f'ignore = ["{name}"]'
    return (
        "## To silence it\n\n"
        f"At one place `{code}`; in a project `{setting}` under `[tool.jaxref]` of `pyproject.toml`.\n"
    )


def _index(rules: list[Listed]) -> str:
    rows = []
    for rule in rules:
        of_book = rule_named(rule.name)
        does = _what_jax_does(of_book) if of_book is not None else ""
        fixes = "yes" if remedies_for(rule.name) else ""
        off = " (only when selected)" if of_book is not None and not of_book.default else ""
        link = f"[{rule.name}]({rule.name}.md)"
        rows.append(f"| {link} | {rule.severity}{off} | {rule.summary} | {does} | {fixes} |")
    head = (
        "# Rules\n\n"
        "What jaxref finds. An *error* is what JAX raises for, or crashes on; a *warning* is what JAX"
        " does not notice, and\nwhat it would raise for on some paths only. Every example on these pages is"
        " analysed by jaxref and run under JAX\nin its tests, and both must agree on each line.\n\n"
        "`jaxref rule NAME` shows a page in the terminal.\n\n"
        "| rule | severity | what it finds | what JAX does | fixes |\n"
        "| --- | --- | --- | --- | --- |\n"
    )
    return head + "\n".join(rows) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check; returns the exit code."""
    wanted = pages()
    present = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    if arguments == ["--check"]:
        stale = sorted(
            name for name in wanted.keys() | present if wanted.get(name) != present.get(name)
        )
        for name in stale:
            print(f"docs/rules/{name} is not up to date: run `make docs`", file=sys.stderr)
        return 1 if stale else 0
    PAGES.mkdir(parents=True, exist_ok=True)
    for name in present.keys() - wanted:
        (PAGES / name).unlink()
    for name, text in wanted.items():
        if present.get(name) != text:
            (PAGES / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
