"""A program that is being written: its lines, its random choices and its one mistake."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

Shape = tuple[int, ...]

GRAD, VMAP, LOOP, COND, JIT, REMAT = "grad", "vmap", "loop", "cond", "jit", "remat"


@dataclass(frozen=True, slots=True)
class Arr:
    """An array that can be named here; `dtype` as JAX prints it."""

    text: str
    shape: Shape
    dtype: str = "float32"


@dataclass(slots=True)
class Uses:
    """What a function did to one of its refs, through whatever name."""

    kinds: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Ref:
    """A ref that can be named here.

    `tainted`: differentiated values may be stored into it; `writable`: it may be stored into at
    all; `passable`: it may be an argument, which an alias of another argument may not.
    """

    text: str
    shape: Shape
    dtype: str = "float32"
    tainted: bool = True
    writable: bool = True
    uses: Uses = field(default_factory=Uses)


@dataclass(frozen=True, slots=True)
class Group:
    """A container of refs that can be named here, and how one loops over the refs in it."""

    text: str
    each: str
    refs: tuple[Ref, ...]


@dataclass(slots=True)
class Scope:
    """What a place of the program can name, and the transforms around it, the outermost first."""

    arrays: list[Arr]
    refs: list[Ref]
    under: tuple[str, ...] = ()
    depth: int = 0
    groups: list[Group] = field(default_factory=list)


@dataclass(slots=True)
class Draft:
    """The lines so far. `wanted` is the number of the chance for a mistake that is taken, if any.

    `chances` are the mistakes that could have been made, in the order of writing; `mistake` is the
    one that was.
    """

    random: random.Random
    wanted: int | None = None
    lines: list[str] = field(default_factory=list)
    chances: list[str] = field(default_factory=list)
    mistake: str | None = None
    helpers: dict[str, list[str]] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)
    _indent: int = 0
    _names: dict[str, int] = field(default_factory=dict)

    def say(self, line: str) -> None:
        """Add a line at the present indentation."""
        self.lines.append("    " * self._indent + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines under `head`."""
        self.say(head)
        self._indent += 1
        yield
        self._indent -= 1

    def fresh(self, stem: str) -> str:
        """A name that the program does not have yet."""
        self._names[stem] = count = self._names.get(stem, 0) + 1
        return stem if count == 1 else f"{stem}_{count}"

    def slip(self, kind: str) -> bool:
        """A chance for a mistake; True where it is to be made."""
        self.chances.append(kind)
        if self.wanted == len(self.chances) - 1:
            self.mistake = kind
            return True
        return False

    def chance(self, probability: float) -> bool:
        """True in this share of cases."""
        return self.random.random() < probability

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.random.choice(options)

    def need(self, name: str, *lines: str) -> str:
        """A helper function of the program, defined before everything else."""
        self.helpers.setdefault(name, list(lines))
        return name

    def text(self) -> str:
        """The program."""
        head = [*sorted(self.imports), "import jax", "import jax.numpy as jnp", ""]
        for lines in self.helpers.values():
            head += [*lines, ""]
        return "\n".join([*head, *self.lines]) + "\n"
