"""The pages of the rules: prose and programs, the same ones that are executed as tests."""

from __future__ import annotations

import re
from pathlib import Path

import jaxref

_PACKAGE = Path(jaxref.__file__).parent
_PLACES = (_PACKAGE / "rules" / "pages", _PACKAGE.parents[1] / "tests" / "rules")
"""Where they are in an installation, and in a checkout."""


def page_of(name: str) -> str | None:
    """The page of the rule `name` in Markdown, None where there is none."""
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
