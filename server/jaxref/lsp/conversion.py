"""Messages to lsprotocol's classes and back: its converter, lenient, and quick for a class that is new.

cattrs generates and compiles two functions for each class, which takes about a millisecond. A client says
once what it can do, in some sixty classes. So the first values of a class are converted field by field; the
functions are generated for classes of which there are more, and where one is not as it should be, since
they tell why.
"""

from __future__ import annotations

import enum
from functools import cache
from typing import Any

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from lsprotocol import types
from pygls.protocol import default_converter

_FIELD_BY_FIELD = 25
"""Values of a class. Generating a function takes as long as converting some fifty of them."""


@cache
def lenient_converter() -> Converter:
    """lsprotocol's converter, taking numbers and words that the protocol does not list yet.

    Otherwise one new symbol kind in a client's capabilities would make `initialize` undecodable.
    """
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in vars(types).values():
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            converter.register_structure_hook(kind, _enumerated)
    converter.register_structure_hook_factory(attrs.has, lambda cls: _Structuring(cls, converter))
    converter.register_unstructure_hook_factory(
        attrs.has, lambda cls: _Unstructuring(cls, converter)
    )
    return converter


def _enumerated(value: Any, kind: Any) -> Any:
    try:
        return kind(value)
    except ValueError:
        if type(value) is type(next(iter(kind)).value):
            return value
        raise


class _Structuring:
    """A message's part to a value of the class `cls`."""

    def __init__(self, cls: Any, converter: Converter) -> None:
        self._cls = cls
        self._converter = converter
        self._fields = [
            (key_of(one.name), one.alias, one.type or Any) for one in attrs.fields(cls) if one.init
        ]
        self._left = _FIELD_BY_FIELD
        self._generated: Any = None

    def __call__(self, part: Any, cls: Any) -> Any:
        if self._generated is None:
            self._left -= 1
            if self._left >= 0:
                structure = self._converter.structure
                try:
                    given = {
                        alias: structure(part[key], kind)
                        for key, alias, kind in self._fields
                        if key in part
                    }
                    return self._cls(**given)
                except Exception:
                    # What is generated finds that, too, and tells where.
                    pass
            self._generated = make_dict_structure_fn(
                self._cls, self._converter, **overrides(self._cls)
            )
        return self._generated(part, cls)


class _Unstructuring:
    """A value of the class `cls` to a message's part, without what it leaves at the default."""

    def __init__(self, cls: Any, converter: Converter) -> None:
        self._cls = cls
        self._converter = converter
        self._fields = [
            (one.name, key_of(one.name), one.default, types.is_special_property(cls, one.name))
            for one in attrs.fields(cls)
        ]
        self._left = _FIELD_BY_FIELD
        self._generated: Any = None

    def __call__(self, value: Any) -> Any:
        if self._generated is None:
            self._left -= 1
            if self._left >= 0:
                part = {}
                for name, key, default, kept in self._fields:
                    one = getattr(value, name)
                    if kept or one != default:
                        part[key] = self._converter.unstructure(one)
                return part
            self._generated = make_dict_unstructure_fn(
                self._cls, self._converter, **overrides(self._cls)
            )
        return self._generated(value)


def key_of(name: str) -> str:
    """The name in messages of the field that lsprotocol calls `name`."""
    first, *others = name.removesuffix("_").split("_")
    return first + "".join(one.title() for one in others)


def overrides(cls: Any) -> dict[str, Any]:
    """What cattrs is told of the fields of a class, as lsprotocol does it."""
    return {
        one.name: override(
            rename=key_of(one.name),
            omit_if_default=not types.is_special_property(cls, one.name),
        )
        for one in attrs.fields(cls)
    }
