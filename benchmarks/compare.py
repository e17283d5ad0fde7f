"""Compare two recorded runs by their ratios; prints what moved by more than a fifth.

usage: python benchmarks/compare.py OLD.json NEW.json
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path


def ratios(path: str) -> dict[str, float]:
    """Each measurement of jaxref as a multiple of the fastest peer's, or itself where it has none."""
    found = {}
    for name, tools in json.loads(Path(path).read_text()).items():
        own = statistics.median(tools["jaxref"]) if tools.get("jaxref") else None
        others = [
            statistics.median(samples)
            for tool, samples in tools.items()
            if tool != "jaxref" and samples
        ]
        if own is not None:
            found[name] = own / min(others) if others else own
    return found


def main() -> None:
    """Print the differences."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    old, new = ratios(sys.argv[1]), ratios(sys.argv[2])
    for name in old.keys() & new.keys():
        change = new[name] / old[name]
        if not 1 / 1.2 < change < 1.2:
            print(
                f"{name}: {old[name]:.2f} -> {new[name]:.2f} ({'slower' if change > 1 else 'faster'})"
            )


if __name__ == "__main__":
    main()
