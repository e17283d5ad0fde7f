"""The labelled programs of tests/corpus: everything marked is found, nothing else is said.

`corpus/known_misses.txt` names the programs whose mark is not found yet, one a line (`#` comments):
a listed one that is found fails, so that the list only ever says what is true. Inventions have no list.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.corpus import Labelled, disagreements, read_corpus
from jaxref.engine import Snapshot, analyse
from jaxref.settings import Settings

CORPUS = Path(__file__).parent / "corpus"
PROGRAMS = read_corpus(CORPUS)


def known_misses() -> frozenset[str]:
    place = CORPUS / "known_misses.txt"
    lines = place.read_text(encoding="utf-8").splitlines() if place.exists() else []
    return frozenset(line.partition("#")[0].strip() for line in lines) - {""}


KNOWN_MISSES = known_misses()


@pytest.mark.parametrize("program", [pytest.param(p, id=p.name) for p in PROGRAMS])
def test_program(program: Labelled) -> None:
    path = str(CORPUS / program.name)
    analysis = analyse(Snapshot(path, program.text), Settings(jax_version=(0, 12, 0, 1)))
    said = list(disagreements(program, analysis))
    missed = [line for line in said if line.startswith("missed")]
    if program.name in KNOWN_MISSES:
        assert missed, f"{program.name} is found now: take it off known_misses.txt"
        said = [line for line in said if line not in missed]
    if said:
        pytest.fail("\n".join(f"{program.name}: {line}" for line in said), pytrace=False)


def test_known_misses_exist() -> None:
    names = {program.name for program in PROGRAMS}
    assert names >= KNOWN_MISSES
