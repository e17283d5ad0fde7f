"""The targets of the fuzzer, for a moment: their seeds, seeded changes of them, and what hypothesis makes."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parents[1] / "lsp"))
sys.path.append(str(Path(__file__).parent / "fuzz"))

from targets import PIECES, TARGETS

HERE = Path(__file__).parent
CHANGED = 25
SMALL = {"mirror": 300, "framing": 300}
SPLICES = (
    b"\n",
    b"\r\n",
    b"\r",
    b"'",
    b'"""',
    b"(",
    b"{",
    b"\\",
    b"\x00",
    b"\xff",
    b"\xf0\x9f",
    b"# jaxref: ",
)


def seeds(target: str) -> list[bytes]:
    """The inputs that were written for a target."""
    return [path.read_bytes() for path in sorted((HERE / "fuzz" / "corpus" / target).iterdir())]


def changed(data: bytes, chance: random.Random) -> bytes:
    """The bytes after a few changes as a fuzzer makes them."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((0, 0, 1, 2, 8, 40)))
        new = chance.choice((b"", data[start:end] * 2, chance.choice(SPLICES), chance.randbytes(3)))
        data = data[:start] + new + data[end:]
    return data


@pytest.mark.parametrize("target", TARGETS)
def test_seeds(target: str) -> None:
    assert seeds(target)
    for data in seeds(target):
        TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
def test_changed_seeds(target: str) -> None:
    chance = random.Random(target)
    inputs = seeds(target)
    for _ in range(SMALL.get(target, CHANGED)):
        data = changed(chance.choice(inputs), chance)
        try:
            TARGETS[target](data)
        except BaseException:
            print(f"TARGETS[{target!r}]({data!r})")
            raise


quick = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@quick
@given(st.lists(st.integers(0, len(PIECES) + 23), max_size=60))
def test_programs_of_pieces(pieces: list[int]) -> None:
    TARGETS["programs"](bytes(pieces))


@quick
@given(st.lists(st.integers(0, len(PIECES) + 23), max_size=40))
def test_fixes_of_pieces(pieces: list[int]) -> None:
    TARGETS["fixes"](bytes(pieces))


@quick
@given(st.binary(max_size=200))
def test_mirror_of_anything(data: bytes) -> None:
    TARGETS["mirror"](data)


@quick
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "jaxref",
                        "settings",
                        "select",
                        "severity",
                        "exclude",
                        "per-file-ignores",
                        "python",
                        "jaxVersion",
                        "hints",
                        "cells",
                        "source",
                        "cell_type",
                        "metadata",
                        "hover.enable",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    ),
    st.sampled_from(["settings", "notebook"]),
)
def test_json_of_anything(value: object, target: str) -> None:
    TARGETS[target](json.dumps(value).encode())
