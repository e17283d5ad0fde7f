"""Edits in the terms of the syntax tree: replaced nodes, lines before and after a statement."""

from __future__ import annotations

import ast
import io
import itertools
import tokenize
from collections.abc import Sequence

from jaxref.fixes.keeping import smallest, still_parses
from jaxref.fixes.model import Applicability, Edit, Fix
from jaxref.fixes.names import import_sibling, spelling
from jaxref.fixes.program import HEADERS, Program
from jaxref.quick_dataclasses import dataclass, field
from jaxref.source.text import Span


class NotPossible(Exception):
    """The change cannot be made at its place; the fix is not offered.

    The argument, if there is one, says why in words for the user.
    """


@dataclass
class Patch:
    """The changes of one fix. Every method raises `NotPossible` where its change cannot be made."""

    program: Program
    _replaced: dict[Span, str] = field(default_factory=dict)
    _before: dict[ast.stmt, list[str]] = field(default_factory=dict)
    _after: dict[ast.stmt, list[str]] = field(default_factory=dict)
    _imports: bool = False

    def jax(self, dotted: str, at: ast.AST) -> str:
        """How to write `jax...` at a node; `import jax` is added where the file has no name for it."""
        found = spelling(self.program, dotted, at)
        if found is None:
            raise NotPossible
        if found.needs_import:
            if import_sibling(self.program) is None:
                raise NotPossible
            self._imports = True
        return found.text

    def replace(self, node: ast.AST, text: str) -> None:
        """Put `text` in the place of a node; brackets around it stay."""
        self.replace_span(self.program.span(node), text)

    def replace_span(self, span: Span, text: str) -> None:
        """Put `text` in the place of a span."""
        if self._replaced.get(span, text) != text:
            raise NotPossible
        self._replaced[span] = text

    def insert(self, offset: int, text: str) -> None:
        """Insert `text`, behind what was inserted there before."""
        span = Span(offset, offset)
        self._replaced[span] = self._replaced.get(span, "") + text

    def remove(self, statement: ast.stmt) -> None:
        """Take a statement away with its line; it must not be the only one of its block."""
        program = self.program
        text = program.text
        parent = program.parents.get(statement)
        blocks = [getattr(parent, name, None) for name in ("body", "orelse", "finalbody")]
        block = next((one for one in blocks if isinstance(one, list) and statement in one), None)
        span = program.span(statement)
        rest = text.content[span.end : text.line_span(text.line_index(span.end)).end]
        if block is None or len(block) < 2 or rest.strip():
            raise NotPossible
        self.remove_lines(span)

    def remove_lines(self, span: Span) -> None:
        """Take away all that stands on the lines of a span, which is alone there; its comments stay."""
        text = self.program.text
        start, end = span
        last = text.line_index(end)
        line = text.line_span(last)
        first = text.line_starts[text.line_index(start)]
        rest = text.content[end : line.end].strip()
        if text.content[first:start].strip() or (rest and not rest.startswith("#")):
            raise NotPossible
        after = text.line_starts[last + 1] if last + 1 < text.line_count() else line.end
        indent, newline = text.content[first:start], line_end(self.program, start)
        comments = []
        if "#" in text.content[start : line.end]:
            from jaxref.source.lines import shape_of

            comments = [
                f"{indent}{text.slice(one)}{newline}"
                for one in shape_of(text).comments
                if start <= one.start and one.end <= line.end
            ]
        self.replace_span(Span(first, after), "".join(comments))

    def before(self, statement: ast.stmt, line: str) -> None:
        """Add a simple statement before `statement`, on a line of its own where that is possible."""
        lines = self._before.setdefault(statement, [])
        if line not in lines:
            lines.append(line)

    def after(self, statement: ast.stmt, line: str) -> None:
        """Add a simple statement after the simple statement `statement`."""
        if isinstance(statement, HEADERS):
            raise NotPossible
        self._after.setdefault(statement, []).append(line)

    def edits(self) -> tuple[Edit, ...]:
        """All changes as sorted edits that do not overlap.

        What a replaced text and its replacement have in common is not touched, and comments that go with
        the rest are put above their statement. Raises `NotPossible` where the result would not parse.
        """
        made, gone = self._smallest()
        for statement, comments in gone.items():
            self._before[statement] = [*comments, *self._before.get(statement, ())]

        def insert(offset: int, text: str, *, first: bool) -> None:
            span = Span(offset, offset)
            old = made.get(span, "")
            made[span] = text + old if first else old + text

        # Several statements may begin at one offset only when they are the same one.
        for statement, lines in self._before.items():
            offset, text = _lines_before(self.program, statement, lines)
            insert(offset, text, first=True)
        for statement, lines in self._after.items():
            offset, text = _lines_after(self.program, statement, lines)
            insert(offset, text, first=False)
        if self._imports:
            sibling = import_sibling(self.program)
            assert sibling is not None
            offset, text = _lines_before(self.program, sibling, ["import jax"])
            insert(offset, text, first=True)
        edits = tuple(Edit(span, text) for span, text in sorted(made.items()))
        content = self.program.text.content
        edits = tuple(
            edit for edit in edits if content[edit.span.start : edit.span.end] != edit.text
        )
        _check_apart([edit.span for edit in edits])
        if not still_parses(self.program, edits):
            raise NotPossible("the layout of the code is in the way")
        return edits

    def _smallest(self) -> tuple[dict[Span, str], dict[ast.stmt, list[str]]]:
        """The smallest replacements, and the comments that go with what is replaced, by statement."""
        content = self.program.text.content
        _check_apart(sorted(self._replaced))
        moved = "".join((*self._replaced.values(), *itertools.chain(*self._before.values())))
        made: dict[Span, str] = {}
        gone: dict[ast.stmt, list[str]] = {}
        for span, text in self._replaced.items():
            edits, comments = smallest(content, span, text)
            for edit in edits:
                made[edit.span] = made.get(edit.span, "") + edit.text
            for comment in comments:
                if comment in moved:
                    moved = moved.replace(comment, "", 1)
                else:
                    gone.setdefault(self._above(span), []).append(comment)
        return made, gone

    def _above(self, span: Span) -> ast.stmt:
        """The innermost statement around a span that begins a line."""
        found: ast.stmt | None = None
        for statement in ast.walk(self.program.tree):
            if isinstance(statement, ast.stmt) and begins_line(self.program, statement):
                start, end = self.program.span(statement)
                # The walk goes outside in.
                if start <= span.start and span.end <= end:
                    found = statement
        if found is None:
            raise NotPossible
        return found

    def fix(self, title: str, applicability: Applicability, *, preferred: bool = False) -> Fix:
        """The fix made of all changes. Raises `NotPossible` when nothing is changed."""
        edits = self.edits()
        if not edits:
            raise NotPossible
        return Fix(title, edits, applicability, preferred)


def _check_apart(spans: Sequence[Span]) -> None:
    for one, next_one in itertools.pairwise(spans):
        if next_one.start < one.end:
            raise NotPossible


def line_end(program: Program, offset: int) -> str:
    """The line end in use at `offset`: that of its line, else the first of the text, else LF."""
    text = program.text
    content = text.content
    for index in (text.line_index(offset), 0):
        end = text.line_span(index).end
        if content.startswith("\r\n", end):
            return "\r\n"
        if content.startswith(("\n", "\r"), end):
            return content[end]
    return "\n"


def first_offset(program: Program, statement: ast.stmt) -> int:
    """Where a statement begins, decorators included."""
    start = program.span(statement).start
    decorators = getattr(statement, "decorator_list", [])
    if not decorators:
        return start
    first = program.span(decorators[0]).start
    return program.text.content.rfind("@", 0, first)


def begins_line(program: Program, statement: ast.stmt) -> bool:
    """True when only white space stands before the statement on its line."""
    start = first_offset(program, statement)
    line = program.text.line_span(program.text.line_index(start))
    return not program.text.content[line.start : start].strip()


def _lines_before(program: Program, statement: ast.stmt, lines: list[str]) -> tuple[int, str]:
    start = first_offset(program, statement)
    text = program.text
    if _is_elif(program, statement):
        raise NotPossible
    if begins_line(program, statement):
        line = text.line_span(text.line_index(start))
        previous = text.line_index(start) - 1
        if previous >= 0 and _continued(text.slice(text.line_span(previous))):
            raise NotPossible
        indent = text.content[line.start : start]
        end = line_end(program, start)
        return line.start, "".join(f"{indent}{one}{end}" for one in lines)
    if isinstance(statement, HEADERS):
        raise NotPossible
    return start, "".join(f"{one}; " for one in lines)


def _lines_after(program: Program, statement: ast.stmt, lines: list[str]) -> tuple[int, str]:
    text = program.text
    start, end = program.span(statement)
    line = text.line_span(text.line_index(end))
    rest = text.content[end : line.end]
    if begins_line(program, statement) and (not rest.strip() or rest.lstrip().startswith("#")):
        own = text.line_span(text.line_index(start))
        indent = text.content[own.start : start]
        newline = line_end(program, start)
        # Not where the next line begins: that may be in another cell.
        return line.end, "".join(f"{newline}{indent}{one}" for one in lines)
    return end, "".join(f"; {one}" for one in lines)


def _is_elif(program: Program, statement: ast.stmt) -> bool:
    parent = program.parents.get(statement)
    return (
        isinstance(statement, ast.If)
        and isinstance(parent, ast.If)
        and statement in parent.orelse
        and program.text.content.startswith("elif", program.span(statement).start)
    )


def _continued(line: str) -> bool:
    return line.rstrip("\r\n").endswith("\\") and "#" not in line


def call_opening(program: Program, call: ast.Call) -> int:
    """The offset of the bracket that opens the arguments of a call."""
    start = program.span(call.func).end
    return _find_token(program, start, program.span(call).end, "(")


def after_callee(program: Program, call: ast.Call) -> int:
    """The offset behind the callee, behind brackets around it."""
    start = program.span(call.func).end
    opening = call_opening(program, call)
    last = program.text.content.rfind(")", start, opening)
    return last + 1 if last >= 0 else start


def _find_token(program: Program, start: int, end: int, wanted: str) -> int:
    """The first operator token `wanted` in a stretch that begins between tokens."""
    content = program.text.content
    at = start
    while at < end:
        char = content[at]
        if char == wanted:
            return at
        if char == "#":
            at = program.text.line_span(program.text.line_index(at)).end
            continue
        at += 1
    raise NotPossible


def outer_span(program: Program, node: ast.expr) -> Span:
    """The span of an expression with the round brackets that stand directly around it alone.

    The brackets of a call's arguments are not taken for such: a parent's span limits the search.
    """
    content = program.text.content
    start, end = program.span(node)
    parent = program.parents.get(node)
    if parent is None or not isinstance(parent, (ast.expr, ast.stmt, ast.keyword)):
        return Span(start, end)
    low, high = program.span(parent)
    if isinstance(parent, ast.Call):
        low = call_opening(program, parent) + 1 if node is not parent.func else low
        high = high - 1 if node is not parent.func else high
    if isinstance(parent, ast.Tuple) and content[low] == "(" and content[high - 1] == ")":
        low, high = low + 1, high - 1
    while True:
        left = start - 1
        while left >= low and content[left] in " \t\r\n\\":
            left -= 1
        right = end
        while right < high and content[right] in " \t\r\n\\":
            right += 1
        if left >= low and right < high and content[left] == "(" and content[right] == ")":
            start, end = left, right + 1
        else:
            return Span(start, end)


def has_comment(program: Program, span: Span) -> bool:
    """True when a comment stands inside the span."""
    text = program.text.slice(span)
    if "#" not in text:
        return False
    try:
        tokens = tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline)
        return any(token.type == tokenize.COMMENT for token in tokens)
    except (tokenize.TokenError, SyntaxError):
        return True


def can_precede(program: Program, node: ast.AST) -> ast.stmt:
    """The statement before which code may run that `node` needs, exactly once whenever `node` is.

    Raises `NotPossible` where `node` may run another number of times than its statement, or may not
    run at all.
    """
    inner = node
    for outer in program.ancestors(node):
        match outer:
            case ast.Lambda() if inner is outer.body:
                raise NotPossible
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                if inner is not outer.generators[0]:
                    raise NotPossible
            case ast.comprehension() if inner is not outer.iter:
                raise NotPossible
            case ast.IfExp() if inner is not outer.test:
                raise NotPossible
            case ast.BoolOp() if inner is not outer.values[0]:
                raise NotPossible
            case ast.Compare() if inner in outer.comparators[1:]:
                raise NotPossible
            case ast.While() | ast.Assert() if not isinstance(inner, ast.stmt):
                if isinstance(outer, ast.While) or inner is not outer.test:
                    raise NotPossible
            case ast.match_case():
                raise NotPossible
            case ast.ExceptHandler():
                raise NotPossible
        if isinstance(outer, ast.stmt):
            if _is_elif(program, outer):
                raise NotPossible
            return outer
        inner = outer
    raise NotPossible
