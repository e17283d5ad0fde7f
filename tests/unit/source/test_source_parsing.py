"""Any text gives a tree, and the parts of it that are Python are in that tree, in their places."""

from __future__ import annotations

import ast
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxref.source.parsing import parse, span_of
from jaxref.source.text import Text


def code_of(text: str) -> str:
    return ast.unparse(parse(text).tree)


def test_a_good_text_is_parsed_as_it_is() -> None:
    parsed = parse("x = 1\n\ndef f():\n    return x\n")
    assert parsed.errors == ()
    assert len(parsed.tree.body) == 2


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("x = f_vjp.\ny = 2", "pass\ny = 2"),
        ("x = foo(a,\ndef g():\n  pass", "pass\n\ndef g():\n    pass"),
        ("f(\ny = 2\nz = 3", "pass\ny = 2\nz = 3"),
        ("def f():\nx = 1", "def f():\n    pass\nx = 1"),
        ("def f():  # why\nx = 1", "def f():\n    pass\nx = 1"),
        ("try:\n  x = 1\ny = 2", "if 1:\n    x = 1\ny = 2"),
        ("class A(\n  x = 1\nB = 2", "class _:\n    x = 1\nB = 2"),
        ("def f(x:\n  return x\nf(2)", "def _():\n    return x\nf(2)"),
        ("try:\n  x = 1\nexcept E(:\n  y = 2\n", "try:\n    x = 1\nexcept:\n    y = 2"),
        ("for x in :\n  y = 1\n", "while 1:\n    y = 1"),
        ("@jax.jit(\ndef f():\n  return 1", "def f():\n    return 1"),
        ("x = '''abc\ny = 1\n", "pass\ny = 1"),
        ("x = 1\n  y = 2\nz = 3", "x = 1\nz = 3"),
        ("}\nx = 1", "pass\nx = 1"),
        ("a = (1,\n     2 3,\n     4)\nb = 1", "pass\nb = 1"),
        ("print 'hello'\nx = 1", "pass\nx = 1"),
        ("<<<<<<< HEAD\nx = 1\n=======\n>>>>>>> b\ny = 1", "pass\nx = 1\npass\npass\ny = 1"),
        (
            "match x:\n  case 1:\n    y = 1\n  case :\n    z = 1\nw = 1",
            "match x:\n    case 1:\n        y = 1\n        z = 1\nw = 1",
        ),
        ("x = 1 \\", "pass"),
        ("\ufeffx = 1", "x = 1"),
    ],
)
def test_broken_statements_are_left_out_and_the_rest_is_kept(text: str, kept: str) -> None:
    assert code_of(text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("def f():\n  a\nx = 3\n  b\n  c\nd", "def f():\n    a\n    b\n    c\nd"),
        ("class A:\n  a = 1\n@\n  def f():\n    b\nd", "class A:\n    a = 1\n\n    def f():\n        b\nd"),
        ("def f():\n  a\nx y\n  b\nd", "def f():\n    a\n    b\nd"),
        ("a\nx = (\n  b\n  c\ndef f(): pass", "a\npass\n\ndef f():\n    pass"),
        (
            'def f():\n  a\n  """\n  b\n\ndef g():\n  """G."""\n  c\n\ndef h():\n  """H."""\n',
            'def f():\n    a\n    pass\n    b\n\ndef g():\n    """G."""\n    c\n\ndef h():\n    """H."""',
        ),
    ],
)  # fmt: skip
def test_a_line_that_stands_wrong_costs_nothing_around_it(text: str, kept: str) -> None:
    assert code_of(text) == kept


def test_the_tree_is_that_of_the_repaired_text() -> None:
    parsed = parse("def f(:\r\n  x = (1\n\rif y:\nz = '\ud800")
    assert parsed.errors
    assert ast.dump(ast.parse(parsed.code), include_attributes=True) == ast.dump(
        parsed.tree, include_attributes=True
    )


def test_the_error_is_where_python_sees_it() -> None:
    text = "import jax\nx = f(1, 2 3)\n"
    [error] = parse(text).errors
    assert text[error.span.start : error.span.end] == "2 3"
    assert error.message == "invalid syntax. Perhaps you forgot a comma?"


def test_errors_that_follow_from_a_replaced_line_are_not_told() -> None:
    assert len(parse("x = (\ny = 2\nz = 3\n").errors) == 1


def test_errors_far_from_each_other_are_all_told() -> None:
    text = "x = (1 2)\n\n\ny = 1\n\n\ndef f(:\n    pass\n"
    lines = [Text(text).position(error.span.start).line for error in parse(text).errors]
    assert lines == [1, 7]


@pytest.mark.parametrize(
    "text", ["", "\n", "\0", "\f", "\r", "\\", "'", '"""', "(", "\ud800", "\t"]
)
def test_odd_texts(text: str) -> None:
    parse(text)


def test_null_bytes_are_an_error_and_the_rest_is_parsed() -> None:
    parsed = parse("a = 1\0\nb = 2")
    assert [error.message for error in parsed.errors] == ["source code cannot contain null bytes"]
    assert ast.unparse(parsed.tree) == "a = 1\nb = 2"


def test_lone_surrogates_keep_their_place() -> None:
    text = "x = '\ud800'; y = 1"
    parsed = parse(text)
    assert parsed.errors == ()
    second = parsed.tree.body[1]
    assert isinstance(second, ast.Assign)
    assert Text(text).slice(span_of(second, Text(text))) == "y = 1"


@pytest.mark.parametrize(
    "deep",
    ["1" + "+1" * 50_000, "(" * 500, "-" * 20_000 + "1", "x" + ".a" * 20_000, "9" * 5000],
    ids=["sum", "brackets", "signs", "attributes", "digits"],
)
def test_deep_and_long_things_cost_only_themselves(deep: str) -> None:
    parsed = parse(f"first = 1\ny = {deep}\nlast = 2\n")
    names = (
        {node.id for node in ast.walk(parsed.tree) if isinstance(node, ast.Name)}
        if parsed.errors
        else None
    )
    assert names is None or {"first", "last"} <= names


def test_deep_blocks() -> None:
    parse("\n".join(" " * depth + "if 1:" for depth in range(300)))


def test_no_warning_gets_out() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse("x = '\\d' is 1\n").errors == ()


def test_spans_count_code_points() -> None:
    text = "é = '😀'; call(ü)\n"
    node = parse(text).tree.body[1]
    assert isinstance(node, ast.Expr)
    assert Text(text).slice(span_of(node, Text(text))) == "call(ü)"


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="xy=()[]{}:,.'\"\\\n \t#\r\fé😀def ifretun1", max_size=60))
def test_nothing_raises(text: str) -> None:
    parsed = parse(text)
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        assert parsed.errors
    else:
        assert not parsed.errors


SOURCE = """import jax

class A:
    def method(self, x):
        if x:
            y = [1,
                 2]
        return y

def f(a, b=(1, 2)):
    with open("f") as g:
        for line in g:
            print(line)
    return a
"""


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, len(SOURCE)),
    st.sampled_from(["(", ")", ":", ".", "'", '"""', "=", "\n", " ", "{"]),
)
def test_one_stray_character_leaves_most_of_the_module(at: int, stray: str) -> None:
    parsed = parse(SOURCE[:at] + stray + SOURCE[at:])
    names = {node.name for node in ast.walk(parsed.tree) if isinstance(node, ast.FunctionDef)}
    assert names, ast.dump(parsed.tree)
