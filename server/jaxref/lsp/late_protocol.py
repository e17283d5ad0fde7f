"""lsprotocol's classes, which are executed and given their methods when they are first used.

lsprotocol defines some 550 classes, each a list of fields with types and validators of which attrs makes
methods. That took two thirds of the server's start, and a connection uses about sixty of them. Here a
`class` statement of lsprotocol makes an empty class. When that is first instantiated or asked for its
fields, the statement is executed, attrs completes the class, and its types are resolved as lsprotocol
does it for all classes when a converter is made. Instances have no slots, and share the functions that
compare and show them. Where anything is not as expected, lsprotocol is imported as it is.
"""

from __future__ import annotations

import builtins
import importlib.util
import sys
import threading
from collections.abc import Callable
from types import CodeType
from typing import Any

import attrs

_MODULE = "lsprotocol.types"


def import_late() -> None:
    """Import lsprotocol, unless that was done before, with classes that are completed late."""
    if _MODULE in sys.modules:
        return
    attrs.define = _define
    try:
        spec = importlib.util.find_spec(_MODULE)
        assert spec is not None and spec.loader is not None
        types = importlib.util.module_from_spec(spec)
        # What its `class` statements call.
        vars(types)["__builtins__"] = {**vars(builtins), "__build_class__": _build}
        sys.modules[_MODULE] = types
        spec.loader.exec_module(types)
        sys.modules["lsprotocol"].types = types  # type: ignore[attr-defined]
    except Exception:
        # Whoever imports it next gets it as it is.
        sys.modules.pop(_MODULE, None)
        _incomplete.clear()
        return
    finally:
        attrs.define = _at_once
    from lsprotocol import _hooks

    if _incomplete and getattr(_hooks, "_resolved_forward_references", None) is False:
        _names.update(types.ALL_TYPES_MAP)
        for one in types.ALL_TYPES_MAP.values():
            if isinstance(one, type) and "__attrs_attrs__" in vars(one):
                attrs.resolve_types(one, _names, {})
        # It would complete all classes.
        _hooks._resolved_forward_references = True


_at_once = attrs.define
_incomplete: dict[type, Callable[[], Any]] = {}
"""The body of each class that is not complete yet."""
_names: dict[str, Any] = {}
"""What the types of fields may name; empty where lsprotocol resolves them itself."""
_completing = threading.RLock()


class _Fields:
    """What attrs knows its classes by, of those that are not complete."""

    def __get__(self, instance: object, owner: type) -> Any:
        if owner is _Late:
            return ()
        _complete(owner)
        return owner.__attrs_attrs__  # type: ignore[attr-defined]


class _Late:
    """What late classes are until they are complete, and all they ever are in comparing and showing."""

    __attrs_attrs__ = _Fields()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        _complete(type(self))
        # That of the late class, which has one of its own now.
        late = next(one for one in type(self).__mro__ if "__attrs_attrs__" in vars(one))
        late.__init__(self, *arguments, **named)  # type: ignore[misc]

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _field_names(self))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = [f"{name}={getattr(self, name)!r}" for name in _field_names(self)]
        return f"{type(self).__qualname__}({', '.join(shown)})"


def _field_names(instance: Any) -> list[str]:
    return [one.name for one in type(instance).__attrs_attrs__]


def _build(body: Any, name: str, *bases: Any, **options: Any) -> Any:
    """Make a class as a `class` statement does, without executing its body where it may be done later."""
    code = body.__code__
    functions = {one.co_name for one in code.co_consts if isinstance(one, CodeType)}
    # Annotations are a function since Python 3.14. Without any there need not be fields.
    annotated = "__annotations__" in code.co_names or "__annotate__" in functions
    if bases or options or not annotated or functions - {"__annotate__"}:
        return builtins.__build_class__(body, name, *bases, **options)
    late = type(name, (_Late,), {"__module__": _MODULE})
    _incomplete[late] = body
    return late


def _define(*arguments: Any, **options: Any) -> Any:
    if len(arguments) == 1 and not options and arguments[0] in _incomplete:
        return arguments[0]
    return _at_once(*arguments, **options)


def _complete(cls: type) -> None:
    """Let attrs do what it does for a class, in place, for `cls` and those that it derives from."""
    with _completing:
        for one in cls.__mro__:
            body = _incomplete.pop(one, None)
            if body is None:
                continue
            made = builtins.__build_class__(body, one.__name__)
            inside = vars(made)
            fields = {name: _field(inside.get(name, attrs.NOTHING)) for name in _annotations(made)}
            one.__doc__ = made.__doc__
            one.__annotations__ = _annotations(made)
            _at_once(one, these=fields, slots=False, eq=False, repr=False)
            if _names:
                attrs.resolve_types(one, _names, {})


def _annotations(cls: type) -> dict[str, Any]:
    return getattr(cls, "__annotations__", {})


_FIELD = type(attrs.field())


def _field(value: Any) -> Any:
    return value if type(value) is _FIELD else attrs.field(default=value)
