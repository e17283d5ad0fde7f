"""Settings files: which one holds, what it says, and what is said about mistakes in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxref.settings import DEFAULT_EXCLUDE, Settings, load_settings, nearest_settings_file

RULES = ("unbound-ref-gradient", "grad-of-ref", "syntax-error")


def project(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_toml", ".toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def load(folder: Path, content: str, name: str = "jaxref.toml") -> tuple[Settings, list[str]]:
    (folder / name).write_text(content)
    settings, problems = load_settings(str(folder / "a.py"), known_rules=RULES)
    return settings, [str(problem).removeprefix(f"{folder / name}:") for problem in problems]


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    settings, problems = load_settings(str(tmp_path))
    assert problems == ()
    assert settings == Settings(exclude=DEFAULT_EXCLUDE)


def test_the_nearest_file_wins_and_nothing_is_merged(tmp_path: Path) -> None:
    project(
        tmp_path,
        pyproject_toml='[tool.jaxref]\nignore = ["grad-of-ref"]\nhints = false',
        inner__jaxref_toml='select = ["grad-of-ref"]',
    )
    outer, _ = load_settings(str(tmp_path / "a.py"))
    inner, _ = load_settings(str(tmp_path / "inner" / "deep" / "a.py"))
    assert (outer.ignore, outer.hints) == (("grad-of-ref",), False)
    assert (inner.ignore, inner.hints, inner.select) == ((), True, ("grad-of-ref",))
    assert inner.roots == (str(tmp_path / "inner"),)


def test_a_pyproject_without_our_table_is_passed_over(tmp_path: Path) -> None:
    project(tmp_path, jaxref_toml="", inner__pyproject_toml="[tool.other]\nname = 'jaxref'")
    assert nearest_settings_file(str(tmp_path / "inner")) == str(tmp_path / "jaxref.toml")


def test_jaxref_toml_wins_beside_pyproject(tmp_path: Path) -> None:
    project(tmp_path, jaxref_toml="", pyproject_toml="[tool.jaxref]")
    assert nearest_settings_file(str(tmp_path)) == str(tmp_path / "jaxref.toml")


def test_every_key(tmp_path: Path) -> None:
    settings, problems = load(
        tmp_path,
        """
        select = ["all"]
        ignore = ["grad-of-ref"]
        severity = { unbound-ref-gradient = "warning", syntax-error = "off" }
        exclude = ["a"]
        extend-exclude = ["b/"]
        jax-version = "0.12.0.1"
        python = "envs/one"
        hints = false
        per-file-ignores = { "a.py" = ["unbound-ref-gradient"], "other/*" = ["syntax-error"] }
        """,
    )
    assert problems == []
    assert settings.select == ("all",)
    assert settings.ignore == ("grad-of-ref", "syntax-error", "unbound-ref-gradient")
    assert settings.severity_of("unbound-ref-gradient", "error") == "warning"
    assert settings.exclude == ("a", "b/")
    assert settings.jax_version == (0, 12, 0, 1)
    assert settings.python == str(tmp_path / "envs" / "one")
    assert settings.hints is False
    assert not settings.enabled("syntax-error")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x = 1\nselct = []", "2:1: unknown setting `selct`; did you mean `select`?"),
        ("jax_version = '1'", "1:1: unknown setting `jax_version`; did you mean `jax-version`?"),
        ("zebra = 1", "1:1: unknown setting `zebra`"),
        ("select = 'a'", "1:1: select must be a list of strings, not a string"),
        ("\nignore = [1]", "2:1: ignore must be a list of strings, not a list"),
        (
            "ignore = ['grad-of-rf']",
            "1:1: ignore: unknown rule `grad-of-rf`; did you mean `grad-of-ref`?",
        ),
        ("hints = 'no'", "1:1: hints must be true or false, not a string"),
        ("jax-version = 0.12", '1:1: jax-version must be a version such as "0.12", not a number'),
        ("jax-version = 'new'", '1:1: jax-version must be a version such as "0.12", not `new`'),
        ("python = 3", "1:1: python must be a string, not a number"),
        ("severity = 'error'", "1:1: severity must be a table of rules, not a string"),
        (
            "[severity]\ngrad-of-ref = 'loud'",
            "2:1: severity of grad-of-ref must be one of error, warning, info, hint, off, not `loud`",
        ),
        (
            "severity = { grad-of-rf = 'error' }",
            "1:14: severity: unknown rule `grad-of-rf`; did you mean `grad-of-ref`?",
        ),
        ("per-file-ignores = []", "1:1: per-file-ignores must be a table of patterns, not a list"),
        ("x = [1,\ny = 2", "is not valid TOML"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, content: str, message: str) -> None:
    settings, problems = load(tmp_path, content)
    assert any(message in problem for problem in problems), problems
    assert settings.source == str(tmp_path / "jaxref.toml")


def test_places_in_pyproject(tmp_path: Path) -> None:
    text = "[project]\nname = 'x'\nselct = 1\n\n[tool.jaxref]\nhints = true\n  selct = []\n"
    _, problems = load(tmp_path, text, "pyproject.toml")
    assert problems == ["7:3: unknown setting `selct`; did you mean `select`?"]


def test_a_broken_pyproject_that_means_us(tmp_path: Path) -> None:
    _, problems = load(tmp_path, "[tool.jaxref]\nhints = maybe\n", "pyproject.toml")
    assert problems == ["2:9: is not valid TOML: invalid value"]


def test_the_rest_of_a_file_with_a_mistake_holds(tmp_path: Path) -> None:
    settings, problems = load(tmp_path, "selct = []\nhints = false")
    assert len(problems) == 1
    assert settings.hints is False


def test_overrides_win_and_are_checked(tmp_path: Path) -> None:
    project(tmp_path, jaxref_toml='ignore = ["grad-of-ref"]\nexclude = ["a"]')
    overrides = {"extend-select": ["grad-of-ref"], "exclude": ["b"], "selct": [], "python": None}
    settings, problems = load_settings(str(tmp_path), overrides, known_rules=RULES)
    assert settings.ignore == ()
    assert settings.exclude == ("b",)
    assert [str(problem) for problem in problems] == [
        "unknown setting `selct`; did you mean `select`?"
    ]


def test_a_named_file_is_taken_and_must_have_the_table(tmp_path: Path) -> None:
    project(tmp_path, jaxref_toml="hints = false", other__pyproject_toml="[tool.x]")
    chosen, _ = load_settings("/", config=str(tmp_path / "jaxref.toml"))
    assert chosen.hints is False
    _, [problem] = load_settings("/", config=str(tmp_path / "other" / "pyproject.toml"))
    assert problem.message == "has no table [tool.jaxref]"
    assert load_settings(str(tmp_path), isolated=True)[0].source is None


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    project(tmp_path, jaxref_toml="hints = false")
    assert load_settings(str(tmp_path))[0].hints is False
    (tmp_path / "jaxref.toml").write_text("hints = true ")
    os.utime(tmp_path / "jaxref.toml", ns=(1, 1))
    assert load_settings(str(tmp_path))[0].hints is True


def test_unreadable_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "jaxref.toml").write_bytes(b"\xff")
    _, [problem] = load_settings(str(tmp_path))
    assert problem.message == "is not valid UTF-8"


def test_equal_settings_hash_alike() -> None:
    one = Settings(severity={"a": "error"}, ignore=("b",))
    other = Settings(severity={"a": "error"}, ignore=("b",))
    assert one == other
    assert hash(one) == hash(other)


OVERRIDES = """\
[tool.jaxref]
ignore = ["grad-of-ref"]
jax-version = "0.12"

[[tool.jaxref.overrides]]
files = ["tests/**", "*.ipynb"]
severity = { syntax-error = "warning" }
jax-version = "0.10"

[[tool.jaxref.overrides]]
files = ["tests/slow/"]
select = ["syntax-error"]
extend-select = ["grad-of-ref"]
jax-version = "0.9"
hints = false
"""


def test_other_settings_for_some_files(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(OVERRIDES)

    def of(name: str) -> Settings:
        settings, problems = load_settings(str(tmp_path / name), known_rules=RULES)
        assert problems == ()
        assert settings.per_file
        return settings

    plain, tests, slow = of("src/a.py"), of("tests/a.py"), of("tests/slow/a.py")
    assert (plain.severity, plain.jax_version, plain.hints) == ({}, (0, 12), True)
    assert (tests.severity, tests.jax_version) == ({"syntax-error": "warning"}, (0, 10))
    assert (slow.severity, slow.jax_version) == ({"syntax-error": "warning"}, (0, 9))
    assert of("deep/book.ipynb") == tests
    assert (slow.select, slow.ignore, slow.hints) == (("syntax-error", "grad-of-ref"), (), False)
    assert tests.ignore == ("grad-of-ref",)


def test_overrides_come_last_wherever_they_stand(tmp_path: Path) -> None:
    content = 'overrides = [{ files = ["a.py"], hints = false }]\nhints = true\n'
    assert load(tmp_path, content)[0].hints is False
    (tmp_path / "b.py").write_text("")
    assert load_settings(str(tmp_path / "b.py"))[0].hints is True


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("overrides = 1", "1:1: overrides must be a list of tables, not a number"),
        ("[overrides]\nfiles = []", "1:2: overrides must be a list of tables, not a table"),
        ("[[overrides]]\nhints = true", "1:3: overrides: a table says no files"),
        (
            "[[overrides]]\nfiles = []\nhint = true",
            "3:1: overrides: unknown setting `hint`; did you mean `hints`?",
        ),
        ("[[overrides]]\nfiles = []\nexclude = []", "3:1: overrides: unknown setting `exclude`"),
        (
            '[[overrides]]\nfiles = "a"',
            "2:1: overrides: files must be a list of strings, not a string",
        ),
        (
            '[[overrides]]\nfiles = []\nignore = ["grad-of-rf"]',
            "3:1: overrides: ignore: unknown rule `grad-of-rf`; did you mean `grad-of-ref`?",
        ),
    ],
)
def test_mistakes_in_overrides(tmp_path: Path, content: str, message: str) -> None:
    """Told whether or not a table's files are asked about."""
    _, problems = load(tmp_path, content)
    assert problems == [message]
