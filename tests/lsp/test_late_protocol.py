"""lsprotocol's classes completed late against the same completed at once."""

from __future__ import annotations

import json
import subprocess
import sys

_DESCRIBE = """
import copy, inspect, json, pickle, re
import attrs
from lsprotocol import converters, types

def words(value):
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))

def described(cls):
    fields = attrs.fields(cls)
    return {
        "fields": [[words(one), words(one.type), one.alias] for one in fields],
        "signature": words(inspect.signature(cls)),
        "match": list(cls.__match_args__),
        "hashed": cls.__hash__ is not None,
        "checks": cls.__setattr__ is not object.__setattr__,
        "annotations": words(inspect.get_annotations(cls)),
        "doc": cls.__doc__,
        "name": [cls.__module__, cls.__qualname__],
    }

converter = converters.get_converter()
classes = {
    name: described(cls) for name, cls in types.ALL_TYPES_MAP.items()
    if isinstance(cls, type) and attrs.has(cls)
}
place = {"line": 1, "character": 2}
params = converter.structure(
    {
        "textDocument": {"uri": "file:///a"},
        "range": {"start": place, "end": {"line": 3, "character": 4}},
        "context": {"diagnostics": [], "only": ["quickfix"], "triggerKind": 1},
    },
    types.CodeActionParams,
)
request = types.CodeActionRequest(7, params)
again = pickle.loads(pickle.dumps(copy.deepcopy(request)))
failures = []
for attempt in (
    lambda: types.Position("1", 2),
    lambda: types.Position(1),
    lambda: types.Position(-1, 2),
    lambda: setattr(params.range.start, "line", "1"),
    lambda: hash(params),
    lambda: converter.structure({"line": 1}, types.Position),
):
    try:
        attempt()
    except Exception as error:
        failures.append([type(error).__name__, words(error)])
print(json.dumps({
    "classes": classes,
    "shown": repr(request),
    "equal": [again == request, types.Position(1, 2) < types.Position(1, 3), params != request],
    "message": converter.unstructure(request),
    "failures": failures,
}))
"""


def test_a_class_completed_late_is_what_it_is_at_once() -> None:
    at_once = json.loads(_run(_DESCRIBE))
    late = json.loads(_run("import jaxref.lsp\n" + _DESCRIBE))
    assert len(late["classes"]) > 500
    for name, described in at_once["classes"].items():
        assert late["classes"][name] == described, name
    assert late == at_once


def test_most_classes_of_a_server_stay_incomplete() -> None:
    said = _run(
        "from jaxref.lsp.server import create_server\n"
        "from jaxref.lsp.late_protocol import _incomplete\n"
        "create_server()\n"
        "print(len(_incomplete))\n"
    )
    assert int(said) > 400


def test_a_subclass_has_the_fields_of_an_incomplete_class() -> None:
    said = _run(
        "import attrs, jaxref.lsp\n"
        "from lsprotocol import types\n"
        "class Plain(types.Position):\n"
        "    def __init__(self):\n"
        "        super().__init__(1, 2)\n"
        "@attrs.define\n"
        "class Further(types.Range):\n"
        "    more: int = 3\n"
        "place = Plain()\n"
        "print(place.line, Further(place, place), attrs.has(Plain), attrs.has(int))\n"
    )
    assert said == "1 Further(start=1:2, end=1:2, more=3) True False\n"


def test_lsprotocol_that_cannot_be_imported_late_is_imported_as_it_is() -> None:
    said = _run(
        "import attrs\n"
        "define = attrs.define\n"
        "import sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'lsprotocol.types':\n"
        "            sys.meta_path.remove(self)\n"
        "            raise TypeError(name)\n"
        "sys.meta_path.insert(0, Broken())\n"
        "import jaxref.lsp\n"
        "assert 'lsprotocol.types' not in sys.modules and attrs.define is define\n"
        "from lsprotocol import converters, types\n"
        "converters.get_converter()\n"
        "print(types.Position(1, 2))\n"
    )
    assert said == "1:2\n"


def _run(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
