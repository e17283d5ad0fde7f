"""The user's words for the arguments of a call."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxref.interp.machine import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import overload


class Texts(Sequence[str]):
    """The words for the arguments of a call in a module, looked up when they are asked for, as few are."""

    __slots__ = ("module", "parts")

    def __init__(self, module: Module, parts: Sequence[str | ast.expr]) -> None:
        self.module = module
        self.parts = parts

    def __len__(self) -> int:
        return len(self.parts)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> str: ...
        @overload
        def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        part = self.parts[index]
        if isinstance(part, str):
            return part
        return self.module.source(part) if isinstance(part, ast.AST) else Texts(self.module, part)


def behind(before: int, texts: Sequence[str]) -> Sequence[str]:
    """The words for arguments that come behind others for which there are none."""
    if isinstance(texts, Texts):
        return Texts(texts.module, [*[""] * before, *texts.parts])
    return (*[""] * before, *texts)
