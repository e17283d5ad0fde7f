"""Compare a run with a recorded one by ratios; prints what moved by more than a fifth.

usage: python benchmarks/compare.py [RECORDED.json] NEW.json

RECORDED is benchmarks/recorded.json unless it is given. Compared are the multiples of the fastest peer's
median in the same run, so that a slower machine does not count; what has no peer is compared as a multiple
of a bare Python's start in the same run.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path

RECORDED = Path(__file__).with_name("recorded.json")


def ratios(path: str | Path) -> dict[str, float]:
    """Each measurement of jaxref as a multiple of something else in the same run."""
    found = {}
    figures = json.loads(Path(path).read_text())
    bare = statistics.median(figures.get("a bare Python", {}).get("jaxref", [1.0]))
    for name, tools in figures.items():
        if not tools.get("jaxref") or name == "a bare Python":
            continue
        own = statistics.median(tools["jaxref"])
        peers = [statistics.median(found) for tool, found in tools.items() if tool != "jaxref"]
        found[name] = own / (min(peers) if peers else bare)
    return found


def main() -> None:
    """Print the differences."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    old, new = ratios(sys.argv[1] if len(sys.argv) == 3 else RECORDED), ratios(sys.argv[-1])
    for name in sorted(old.keys() & new.keys()):
        change = new[name] / old[name]
        if not 1 / 1.2 < change < 1.2:
            way = "slower" if change > 1 else "faster"
            print(f"{name}: {old[name]:.2f} -> {new[name]:.2f} times ({way})")
    print(f"{len(old.keys() & new.keys())} measurements compared")


if __name__ == "__main__":
    main()
