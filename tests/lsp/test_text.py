"""The server's text is the client's text, whatever is in it and whatever is done to it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from client import (
    ENCODINGS,
    Client,
    apply_edits,
    column,
    lines_of,
    offset,
    position,
    span,
)
from lsprotocol import types

from jaxref.lsp.positions import (
    Encoding,
    chosen_encoding,
    to_offset,
    to_position,
    to_range,
    to_span,
)
from jaxref.source.text import Span, Text

TEXTS = {
    "empty": "",
    "one line": "abc",
    "final newline": "abc\n",
    "crlf": "a = 1\r\nb = 2\r\n",
    "cr": "a = 1\rb = 2\rc",
    "mixed": "a\r\rb\n\rc\r\n\nd",
    "astral": "x = '😀𝒳'; y = '𐍈'\nz\n",
    "combining": "e\u0301 = 'n\u0303o'  # naïve\n",
    "form feed": "a\x0cb\n\x0c\nc = 1\n",
    "separators": "a\u2028b\u2029c\x85d\x0be\x1cf\nlast",
    "bom": "\ufeffimport jax\n",
    "zero": "a\0b\n",
}

PIECES = [
    "",
    "x",
    "\n",
    "\r\n",
    "\r",
    "😀",
    "e\u0301",
    "\x0c",
    "\u2028",
    "é",
    "def f():\n    pass\n",
]


def server_text(client: Client, uri: str) -> str:
    report = client.pull(uri)
    message: str = report["items"][0]["message"]
    return message


@pytest.mark.parametrize("name", TEXTS)
def test_opened_text_arrives_whole(echoing: tuple[Client, str], name: str, uri: str) -> None:
    client, encoding = echoing
    text = TEXTS[name]
    client.open(uri, text)
    report = client.pull(uri)
    assert report["items"][0]["message"] == text
    end = report["items"][0]["range"]["end"]
    assert end == position(text, len(text), encoding)
    client.close(uri)


@pytest.mark.parametrize("name", TEXTS)
def test_edits_land_where_the_client_made_them(
    echoing: tuple[Client, str], name: str, uri: str
) -> None:
    client, encoding = echoing
    text = TEXTS[name]
    client.open(uri, text)
    for number, place in enumerate(_places(text)):
        there = position(text, place, encoding)
        client.change(uri, 2 + number * 2, ({"start": there, "end": there}, "<😀>"))
        changed = text[:place] + "<😀>" + text[place:]
        end = position(changed, place + 3, encoding)
        client.change(uri, 3 + number * 2, ({"start": there, "end": end}, ""))
    client.change(uri, 1000, ({"start": position(text, 0, encoding)} | {"end": there}, ""))
    assert server_text(client, uri) == text[place:]
    client.close(uri)


def _places(text: str) -> list[int]:
    """Every offset but those inside a CRLF, which no position names."""
    return [at for at in range(len(text) + 1) if text[at - 1 : at + 1] != "\r\n" or at == 0]


@pytest.mark.parametrize("seed", range(6))
def test_random_edit_scripts(echoing: tuple[Client, str], seed: int, uri: str) -> None:
    client, encoding = echoing
    chance = random.Random(seed)
    text = chance.choice(list(TEXTS.values()))
    client.open(uri, text)
    version = 1
    for _ in range(60):
        changes = []
        for _ in range(chance.randint(1, 3)):
            places = _places(text)
            start, end = sorted([chance.choice(places), chance.choice(places)])
            if chance.random() < 0.6:
                end = min(p for p in places if p >= min(end, start + 3))
            new = "".join(chance.choice(PIECES) for _ in range(chance.randint(0, 3)))
            where = {
                "start": position(text, start, encoding),
                "end": position(text, end, encoding),
            }
            changes.append((where, new))
            text = text[:start] + new + text[end:]
        if chance.random() < 0.05:
            text = chance.choice(list(TEXTS.values()))
            changes.append(text)
        version += 1
        client.change(uri, version, *changes)
        if chance.random() < 0.04:
            assert server_text(client, uri) == text
    assert server_text(client, uri) == text
    client.close(uri)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (span(0, 99, 0, 99), "abX\ncd"),
        (span(1, 99, 1, 99), "ab\ncdX"),
        (span(99, 0, 99, 0), "ab\ncdX"),
        (span(0, 1, 77, 5), "aX"),
        (span(1, 4294967295, 1, 4294967295), "ab\ncdX"),
        (span(1, 1, 0, 1), "aXd"),
    ],
    ids=["past a line", "past the last line", "past the text", "to the end", "2**32-1", "turned"],
)
def test_places_outside_the_text_are_clamped(
    echoing: tuple[Client, str], where: dict[str, object], expected: str, uri: str
) -> None:
    client, _ = echoing
    client.open(uri, "ab\ncd")
    client.change(uri, 2, (where, "X"))
    assert server_text(client, uri) == expected
    client.close(uri)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_offsets_and_positions_are_inverse(encoding: Encoding) -> None:
    for text in TEXTS.values():
        made = Text(text)
        for place in _places(text):
            expected = position(text, place, encoding)
            found = to_position(made, place, encoding)
            assert {"line": found.line, "character": found.character} == expected
            assert to_offset(made, found, encoding) == place


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_lone_surrogates_and_long_lines(encoding: Encoding) -> None:
    text = Text("a\ud800b\udc00c😀" + "é😀" * 100_000)
    for place in (0, 1, 2, 3, 4, 5, 6, 7, 99_999, 200_000, len(text.content)):
        assert to_offset(text, to_position(text, place, encoding), encoding) == place


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_column_inside_a_character_means_its_start(encoding: Encoding) -> None:
    text = Text("a😀b")
    inside = types.Position(0, 2)
    assert to_offset(text, inside, encoding) == 1
    there = types.Range(inside, types.Position(0, 3 if encoding == "utf-16" else 5))
    assert to_span(text, there, encoding) == Span(1, 2)


def test_a_place_between_cr_and_lf_is_the_end_of_the_line() -> None:
    found = to_range(Text("ab\r\nc"), Span(3, 4), "utf-16")
    assert (found.start, found.end) == (types.Position(0, 2), types.Position(1, 0))


def test_the_test_client_agrees_with_python() -> None:
    text = "a\r\nb\rc\n"
    assert lines_of(text) == ["a\r\n", "b\r", "c\n", ""]
    assert column("é😀", "utf-8") == 6
    assert column("é😀", "utf-16") == 3
    assert offset(text, {"line": 2, "character": 1}, "utf-16") == 6
    edit = {"range": span(0, 1, 1, 0), "newText": "-"}
    assert apply_edits(text, [edit], "utf-16") == "a-b\rc\n"


@pytest.mark.parametrize("offer", [["utf-32", "utf-8"], ["utf-7", "utf-8"], ["utf-7"], [], None])
def test_the_encoding_is_the_first_of_the_clients_that_is_known(offer: list[str] | None) -> None:
    known = [one for one in offer or () if one in ENCODINGS]
    assert chosen_encoding(offer) == (known[0] if known else "utf-16")


def test_uris_of_odd_file_names(tmp_path: Path) -> None:
    from jaxref.lsp.uris import path_of, uri_of

    for name in ("a b.py", "a;b.py", "a#b?.py", "é😀.py", "100%.py", "a%20b.py", "a\udcffb.py"):
        path = str(tmp_path / name)
        assert path_of(uri_of(path)) == path
    assert path_of("untitled:Untitled-1") is None
    assert path_of("file:///c%3A/x.py") == "/c:/x.py"
