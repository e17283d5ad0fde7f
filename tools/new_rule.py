"""The beginning of a rule: its file in the rule book and its executed page.

python tools/new_rule.py ref-mistaken error "a ref is mistaken for something else"
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]

_RULE = '''\
"""{sentence}."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefMisused
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import misused_at


def check(fact: RefMisused) -> Iterator[Finding]:
    """Which of the facts are the mistake, and why."""
    if fact.how != "{name}":
        return
    yield Finding(fact.site.place, f"{{misused_at(fact)}} is ...: do ... instead", fact)


RULE = Rule(
    "{name}",
    "{severity}",
    "{summary}",
    (RefMisused,),
    ({raises}),
    check,
)
'''

_PAGE = """\
# {name}

{sentence}.

## What it does

Finds ... The finding stands on ...

## Why

What JAX does, and since when.

## What to write instead

The right way.

## Examples

<!-- jax: >=0.11 -->

```python
import jax
import jax.numpy as jnp

r = jax.new_ref(jnp.ones(3))
x = r  # {severity}: [{name}] "`r`"{claim}
```

The same, done right:

```python
import jax
import jax.numpy as jnp

r = jax.new_ref(jnp.ones(3))
x = r[...]
```

## Fixes

None yet.
"""


def main(arguments: list[str]) -> int:
    """Write both files; returns the exit code."""
    if len(arguments) != 3 or arguments[1] not in ("error", "warning", "info", "hint"):
        print(__doc__, file=sys.stderr)
        return 2
    name, severity, summary = arguments
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", name):
        print(f"{name} must be words in lower case, joined by hyphens", file=sys.stderr)
        return 2
    raises = severity == "error"
    words = {
        "name": name,
        "severity": severity,
        "summary": summary.replace('"', '\\"'),
        "sentence": summary[:1].upper() + summary[1:],
        "raises": '"TypeError",' if raises else "",
        "claim": ' # raises: TypeError "part of the message"'
        if raises
        else " # wrong: x, meant 1.0",
    }
    files = {
        REPOSITORY / "server" / "jaxref" / "rules" / f"{name.replace('-', '_')}.py": _RULE,
        REPOSITORY / "tests" / "rules" / f"{name}.md": _PAGE,
    }
    for path in files:
        if path.exists():
            print(f"{path.relative_to(REPOSITORY)} is there already", file=sys.stderr)
            return 1
    for path, template in files.items():
        path.write_text(template.format(**words), encoding="utf-8")
        print(path.relative_to(REPOSITORY))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
