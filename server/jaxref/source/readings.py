"""What a text was read as: its tree, and what is found out of it when another text is compared with it."""

from __future__ import annotations

import ast
from functools import cached_property

from jaxref.quick_dataclasses import dataclass
from jaxref.source.wellformed import silenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.source.reparsing import Known


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt failed; lines and columns are 0-based, `line` None where Python names no place."""

    line: int | None
    column: int
    end_line: int | None
    end_column: int
    message: str


def attempt(code: str, above: int = 0) -> ast.Module | Failure:
    """The tree of `code`, which stands below `above` lines. The lines of a failure count from `code`."""
    try:
        with silenced():
            return ast.parse("\n" * above + code)
    except SyntaxError as error:
        message = (error.msg or "invalid syntax").split(";")[0]
        if error.lineno is None:
            return Failure(None, 0, None, 0, message)
        line = max(0, error.lineno - 1 - above)
        column = max(0, (error.offset or 1) - 1)
        end_line = error.end_lineno - 1 - above if error.end_lineno else None
        return Failure(line, column, end_line, (error.end_offset or 0) - 1, message)
    except (RecursionError, MemoryError):
        return Failure(None, 0, None, 0, "too deeply nested")
    except (ValueError, OverflowError) as error:
        return Failure(None, 0, None, 0, str(error))


SMALLEST = 2000
"""Characters. A shorter text is parsed as quickly as compared with another."""


class Reading:
    """The `tree` of `code`; where there are `problems`, it is that of `repaired`."""

    def __init__(self, code: str, tree: ast.Module) -> None:
        self.code = code
        self.tree = tree
        self.repaired = code
        self.problems: tuple[Failure, ...] = ()

    @cached_property
    def starts(self) -> list[int]:
        """Where the chunks begin."""
        from jaxref.source.chunks import chunk_starts

        return chunk_starts(self.code)

    @cached_property
    def known(self) -> Known:
        """What its stretches came to."""
        from jaxref.source.reparsing import known_of

        return known_of(self)

    @cached_property
    def by_text(self) -> dict[tuple[str, bool], tuple[ast.stmt, ...]]:
        """The statements of the chunks that parse alone, by their text and whether they are the last."""
        chunks = self.known.chunks.items()
        return {key[1:]: found.body for key, found in chunks if found is not None}
