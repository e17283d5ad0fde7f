"""Seed in, program out."""

from __future__ import annotations

import random
from dataclasses import dataclass

from generator.draft import Draft, Scope
from generator.scenes import SCENES
from generator.scenes_more import MORE_SCENES

SHARE_WRONG = 0.4

MORE_FROM = 5000
"""From this seed on the later scenes take part; the programs of seeds before it stay as they are."""

RARE = {
    "ref as an array": 0.5,
    "tainted store": 4,
    "not wanted, but used so": 4,
    "placeholder as a gradient": 6,
    "checkpoint of refs": 6,
    "bound twice": 3,
    "passed twice": 6,
    "read after freeze": 4,
    "frozen twice": 2,
    "grad of a ref": 4,
    "fraction into a counter": 2,
    "write of a ref that is not mapped over": 3,
}
"""How much likelier a mistake is taken that few programs have a chance for."""


@dataclass(frozen=True, slots=True)
class Program:
    """A generated program; `mistake` is what was done wrong on purpose, None for nothing."""

    seed: int
    text: str
    mistake: str | None


def generate(seed: int) -> Program:
    """The program of a seed, the same on every machine."""
    draft = _written(seed, None)
    chooser = random.Random(f"mistake {seed}")
    if draft.chances and chooser.random() < SHARE_WRONG:
        # The kinds are equally likely however often each could be made, and the rare ones likelier.
        kinds = sorted(set(draft.chances))
        kind = chooser.choices(kinds, [RARE.get(one, 1) for one in kinds])[0]
        place = chooser.choice([i for i, chance in enumerate(draft.chances) if chance == kind])
        draft = _written(seed, place)
    return Program(seed, draft.text(), draft.mistake)


def _written(seed: int, wanted: int | None) -> Draft:
    draft = Draft(random.Random(seed), wanted)
    scenes = SCENES if seed < MORE_FROM else [*SCENES, *MORE_SCENES, *MORE_SCENES]
    [(_, scene)] = draft.random.choices(scenes, [weight for weight, _ in scenes])
    if draft.chance(0.15):
        with draft.block("def main():"):
            scene(draft, Scope([], []))
        draft.say("main()")
    else:
        scene(draft, Scope([], []))
    return draft
