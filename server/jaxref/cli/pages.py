"""The pages of the rules: prose and programs, the same ones that are executed as tests."""

from __future__ import annotations

import re
from pathlib import Path

import jaxref
from jaxref.diagnostics.model import Severity
from jaxref.diagnostics.report import INTERNAL_ERROR
from jaxref.diagnostics.suppressing import BARE_IGNORE, UNUSED_IGNORE
from jaxref.diagnostics.syntax import SYNTAX_ERROR
from jaxref.quick_dataclasses import NamedTuple

_PACKAGE = Path(jaxref.__file__).parent
_PLACES = (_PACKAGE / "rules" / "pages", _PACKAGE.parents[1] / "tests" / "rules")
"""Where they are in an installation, and in a checkout."""


class Listed(NamedTuple):
    """A rule as it is listed."""

    name: str
    severity: Severity
    summary: str


_OWN: dict[Listed, str] = {
    Listed(SYNTAX_ERROR, "error", "the file is not Python"): """\
# syntax-error

Python's parser does not understand the file. The message is the parser's own.

The statements that are broken are left out and the rest is checked, so other findings of the same
file can be relied on. In an editor this is left to the ordinary Python server. Fences of Markdown
pages that are not Python are taken for fragments and left out without a word.

A parser knows the syntax of the Python that it runs on: with Python 3.11, `type X = int` is an error.
""",
    Listed(INTERNAL_ERROR, "error", "jaxref itself failed on the file"): """\
# internal-error

jaxref itself failed while it analysed the file. Where it says that the file was not checked, nothing else was
found out about it; else the other findings stand, and something of its kind may be missing.

This is a mistake in jaxref and not in the file. `jaxref check --verbose` shows where it happened: please report
that. The exit code is 2, and no comment or setting silences it. To go on until it is mended, leave the
file out with `--extend-exclude`. In an editor the failure goes to the server's log.
""",
    Listed(BARE_IGNORE, "hint", "a comment ignores every rule"): """\
# bare-ignore

A comment such as `# jaxref: ignore`, without names in brackets, silences whatever there is: also the next
mistake, of another kind. The fix writes the names of what it silences now.

This is reported only where the settings ask for it, by `select` or with a severity:

```toml
[tool.jaxref]
severity = { bare-ignore = "warning" }
```
""",
    Listed(UNUSED_IGNORE, "hint", "a comment ignores what is not reported"): """\
# unused-ignore

A comment `# jaxref: ignore[rule]`, `# jaxref: ignore-file` or `# jaxref: disable[rule]` silences nothing: the
finding is gone, or the comment never stood where it was, or the rule's name is misspelt, or no
`# jaxref: enable[rule]` ends what is disabled.

Such a comment would silence the next mistake. Remove it, or the name that is not needed.
""",
}
"""What is reported about the file itself and not by a rule of the rule book, with its page."""


def listed_rules() -> list[Listed]:
    """All that may be reported, sorted by name."""
    from jaxref.rules.registry import all_rules

    book = [Listed(rule.name, rule.severity, rule.summary) for rule in all_rules()]
    return sorted([*book, *_OWN])


def page_of(name: str) -> str | None:
    """The page of the rule `name` in Markdown, None where there is none."""
    for own, page in _OWN.items():
        if own.name == name:
            return page
    for place in _PLACES:
        try:
            content = (place / f"{name}.md").read_text(encoding="utf-8")
        except OSError:
            continue
        return re.sub(r"<!--.*?-->\n*", "", content, flags=re.DOTALL).strip() + "\n"
    return None


def in_short(page: str) -> str:
    """`page` with the first of its examples only."""
    head, heading, examples = page.partition("\n## Examples\n")
    fences = [found.end() for found in re.finditer(r"^```$", examples, re.MULTILINE)]
    if not fences:
        return page
    return f"{head}{heading}{examples[: fences[0]]}".rstrip() + "\n"
