"""How pages are read: places, versions, fences that hang together, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.markdown import Fence, PageError, parse_page, without_expectations


def page(text: str) -> tuple[Fence, ...]:
    return parse_page(Path("page.md"), text).fences


def fenced(body: str, words: str = "") -> str:
    return f"```python {words}".rstrip() + f"\n{body}```\n"


def test_a_comment_speaks_of_its_own_line() -> None:
    (fence,) = page(
        "# page\n\n" + fenced('x = 1\ny = x  # error: [a-rule] "`x`" # raises: ValueError\n')
    )
    finding, raised = fence.expectations
    assert (finding.kind, finding.line, finding.subject, finding.part) == (
        "error",
        2,
        "a-rule",
        "`x`",
    )
    assert (raised.kind, raised.line, raised.subject, raised.part) == (
        "raises",
        2,
        "ValueError",
        "",
    )
    assert fence.page_line(2) == 5


def test_a_comment_alone_speaks_of_the_next_code_line() -> None:
    (fence,) = page(
        fenced("# error: [a-rule]\n# raises: TypeError\n\n# why\nx = 1  # warning: [other]\n")
    )
    assert [(e.kind, e.line) for e in fence.expectations] == [
        ("error", 5),
        ("raises", 5),
        ("warning", 5),
    ]


def test_ordinary_words_may_stand_before_an_expectation() -> None:
    (fence,) = page(fenced("x = 1  # the start # hint: [a-rule]\n"))
    assert [(e.kind, e.subject) for e in fence.expectations] == [("hint", "a-rule")]


def test_what_looks_like_a_comment_in_a_string_is_none() -> None:
    (fence,) = page(fenced("x = '# error: [a-rule]'\ny = '''\n# raises: ValueError\n'''\n"))
    assert fence.expectations == ()


def test_wrong_takes_the_last_meant() -> None:
    (fence,) = page(fenced("f()  # wrong: g(1, 2)[...], meant (1.0, 2.0)\n"))
    assert [(e.subject, e.part) for e in fence.expectations] == [("g(1, 2)[...]", "(1.0, 2.0)")]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("x = 1  # error: a-rule\n", "`error` wants"),
        ("x = 1  # error: [A Rule]\n", "`error` wants"),
        ("x = 1  # raises: [a-rule]\n", "`raises` wants"),
        ("x = 1  # wrong: x is 2\n", "`wrong` wants"),
        ("x = 1  # raises(later): ValueError\n", "not a version range"),
        ("x = 1\n# error: [a-rule]\n", "no code line below"),
    ],
)
def test_half_an_expectation_is_refused_with_its_line(body: str, message: str) -> None:
    with pytest.raises(PageError, match=message) as refused:
        page("prose\n" + fenced(body))
    line = 3 if body.startswith("x = 1  #") else 4
    assert str(refused.value).startswith(f"page.md:{line}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (fenced("x = 1\n", "continue"), "nothing before this fence to continue"),
        (fenced("x = 1\n", "fixed"), "no fence before this one to fix"),
        (fenced("x = 1\n", "later"), "unknown word"),
        ("```python\nx = 1\n", "never closed"),
    ],
)
def test_fences_that_cannot_be_are_refused(text: str, message: str) -> None:
    with pytest.raises(PageError, match=message):
        page(text)


def test_a_continued_fence_holds_what_it_continues() -> None:
    text = (
        fenced("x = 1  # hint: [a-rule]\n")
        + "prose\n"
        + fenced("y = x  # error: [b-rule]\n", "continue")
    )
    first, second = page(text)
    assert second.text == first.text + "y = x  # error: [b-rule]\n"
    assert [(e.line, e.subject) for e in second.expectations] == [(1, "a-rule"), (2, "b-rule")]
    assert second.place(2) == "page.md:6"


def test_a_fixed_fence_knows_its_base_and_its_fix() -> None:
    base, preferred, named = page(
        fenced("x = 1\n") + fenced("x = 2\n", "fixed") + fenced("x = 3\n", 'fixed="keep it out"')
    )
    assert (base.fixes, preferred.fixes, named.fixes) == (None, "", "keep it out")
    assert preferred.base is base
    assert named.base is base


def test_versions_hold_until_the_next_directive() -> None:
    old, new, any_version = page(
        fenced("x = 1\n")
        + "<!-- jax: >=0.11 -->\n"
        + fenced("x = 2  # raises(<0.12): ValueError # raises(>=0.12): TypeError\n")
        + "<!-- jax: any -->\n"
        + fenced("x = 3\n")
    )
    assert old.version("0.10.2") == "0.10.2"
    assert new.version("0.10.2") == "0.12.0.1"
    assert new.version("0.11.2") == "0.11.2"
    assert [e.subject for e in new.expected("0.11.2", "raises")] == ["ValueError"]
    assert [e.subject for e in new.expected("0.12.0.1", "raises")] == ["TypeError"]
    assert any_version.versions.contains("0.8.3")


def test_other_fences_are_no_programs() -> None:
    assert page("````text\n```python\nx = 1\n```\n````\n") == ()


def test_expectations_are_taken_out_and_nothing_else() -> None:
    text = (
        "# why\n"
        '# error: [a-rule] "x" # raises: ValueError\n'
        "x = 1  # the start # error: [a-rule]\n"
        "y = '# error: [a-rule]'  # raises: ValueError\n"
        "z = 3  # jaxref: ignore[a-rule]\n"
    )
    assert without_expectations(text) == (
        "# why\nx = 1  # the start\ny = '# error: [a-rule]'\nz = 3  # jaxref: ignore[a-rule]\n"
    )
