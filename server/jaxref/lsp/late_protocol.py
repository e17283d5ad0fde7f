"""lsprotocol's classes, to which attrs gives their methods when they are first used.

lsprotocol defines some 550 classes, and attrs generates and compiles the methods of each, which took half
of the server's start. A connection uses about sixty of them. Here a class is made with its slots alone;
when it is first instantiated or asked for its fields, attrs completes it, and its types are resolved as
lsprotocol does it for all classes when a converter is made. Where anything is not as expected, lsprotocol
is imported as it is.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

import attrs

_MODULE = "lsprotocol.types"


def import_late() -> None:
    """Import lsprotocol, unless that was done before, with classes that are completed late."""
    if _MODULE in sys.modules:
        return
    attrs.define = _define
    try:
        import lsprotocol.types
    except Exception:
        # Whoever imports it next gets it as it is.
        return
    finally:
        attrs.define = _at_once
    from lsprotocol import _hooks

    if _incomplete and getattr(_hooks, "_resolved_forward_references", None) is False:
        _names.update(lsprotocol.types.ALL_TYPES_MAP)
        # It would complete all classes.
        _hooks._resolved_forward_references = True


_at_once = attrs.define
_incomplete: dict[type, dict[str, Any]] = {}
"""The fields of each class that is not complete yet."""
_names: dict[str, Any] = {}
"""What the types of fields may name; empty where lsprotocol resolves them itself."""
_completing = threading.RLock()


def _define(*arguments: Any, **options: Any) -> Any:
    cls: Any = arguments[0] if len(arguments) == 1 and not options else None
    fields = _fields_of(cls)
    if fields is None:
        return _at_once(*arguments, **options)
    made = {name: value for name, value in vars(cls).items() if name not in fields}
    made.pop("__dict__", None)
    made.pop("__weakref__", None)
    made |= {
        "__slots__": (*fields, "__weakref__"),
        "__init__": _first_init,
        "__attrs_attrs__": _FirstFields(),
    }
    slotted = type(cls.__name__, cls.__bases__, made)
    slotted.__qualname__ = cls.__qualname__
    _incomplete[slotted] = fields
    return slotted


def _fields_of(cls: Any) -> dict[str, Any] | None:
    """The fields of a class as lsprotocol writes them; None of any other."""
    if type(cls) is not type or cls.__module__ != _MODULE or cls.__bases__ != (object,):
        return None
    inside = vars(cls)
    if inside.keys() & {"__slots__", "__init__", "__setattr__"}:
        return None
    for value in inside.values():
        # The cell may be that of `super()`; both know the class without slots.
        if getattr(value, "__closure__", None) or hasattr(value, "__set_name__"):
            return None
    fields = {}
    for name, annotation in getattr(cls, "__annotations__", {}).items():
        if "ClassVar" in str(annotation):
            return None
        value = inside.get(name, attrs.NOTHING)
        fields[name] = value if type(value) is _FIELD else attrs.field(default=value)
    if any(type(value) is _FIELD and name not in fields for name, value in inside.items()):
        return None
    return fields


_FIELD = type(attrs.field())


def _complete(cls: type) -> None:
    """Let attrs do what it does for a class, in place, for `cls` and those that it derives from."""
    with _completing:
        for one in cls.__mro__:
            fields = _incomplete.pop(one, None)
            if fields is not None:
                del one.__init__, one.__attrs_attrs__  # type: ignore[misc, attr-defined]
                _at_once(one, these=fields, slots=False)
                if _names:
                    attrs.resolve_types(one, _names, {})


def _first_init(self: Any, *arguments: Any, **named: Any) -> None:
    cls = next(one for one in type(self).__mro__ if "__attrs_attrs__" in vars(one))
    _complete(cls)
    cls.__init__(self, *arguments, **named)  # type: ignore[misc]


class _FirstFields:
    """What attrs knows its classes by."""

    def __get__(self, instance: object, owner: type) -> Any:
        _complete(owner)
        return owner.__attrs_attrs__  # type: ignore[attr-defined]
