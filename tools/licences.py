"""docs/licences.md: what jaxref needs at run time, and under which licences that may be used.

python tools/licences.py            writes docs/licences.md from the installed packages' metadata
python tools/licences.py --check    ends with 1 when a package or a licence is missing or has changed
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
PAGE = REPOSITORY / "docs" / "licences.md"

HEAD = """\
# Licences

jaxref is under the Apache License 2.0. At run time it needs the packages below, and the VS Code extension
brings them along. This page is made by `make docs` from the metadata of the installed packages.

| package | for | licence |
| --- | --- | --- |
"""

_CLASSIFIED = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


def needed() -> dict[str, set[str]]:
    """The packages that jaxref needs, directly or not, each with those that ask for it."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, set[str]] = {}
    pending = [("jaxref", one) for one in project["project"]["dependencies"]]
    while pending:
        by, requirement = pending.pop()
        name = _name(requirement)
        known = name in found
        found.setdefault(name, set()).add(by)
        if not known:
            for further in distribution(name).requires or ():
                if _is_needed(further):
                    pending.append((name, further))
    return found


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement.strip())[0].lower().replace("_", "-")


def _is_needed(requirement: str) -> bool:
    """Whether it is needed in every supported environment: no extra, no other Python or system."""
    _, _, marker = requirement.partition(";")
    older = re.search(r"python_version\s*<=?\s*['\"]3\.(\d+)", marker)
    return "extra" not in marker and (older is None or int(older[1]) > 11)


def licence_of(package: Distribution) -> str:
    """The licence by its SPDX name where the metadata has one. Raises `LookupError` for none."""
    metadata = package.metadata
    expression = metadata.get("License-Expression")
    if expression:
        return str(expression)
    for line in metadata.get_all("Classifier") or ():
        if line.startswith("License :: ") and line.rpartition(" :: ")[2] in _CLASSIFIED:
            return _CLASSIFIED[line.rpartition(" :: ")[2]]
    stated = str(metadata.get("License") or "").strip()
    if stated and "\n" not in stated:
        return stated
    raise LookupError(f"{metadata['Name']} states no licence that is known here")


def page() -> str:
    """The text of docs/licences.md."""
    rows = []
    for name, askers in sorted(needed().items()):
        url = f"https://pypi.org/project/{name}/"
        rows.append(
            f"| [{name}]({url}) | {', '.join(sorted(askers))} | {licence_of(distribution(name))} |"
        )
    return HEAD + "\n".join(rows) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check; returns the exit code."""
    try:
        wanted = page()
    except (PackageNotFoundError, LookupError) as missing:
        print(f"licences: {missing}", file=sys.stderr)
        return 1
    present = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if arguments == ["--check"]:
        if wanted != present:
            print("docs/licences.md is not up to date: run `make docs`", file=sys.stderr)
        return 0 if wanted == present else 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
