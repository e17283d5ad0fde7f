"""Dataclasses and named tuples that cost next to nothing to define: methods are generated when called.

`dataclasses` generates and compiles all methods of a class where it is defined, which takes about a
millisecond. This package has some 150 such classes, and checking one file uses a part of each, often
for a few instances: the first ones are filled without a method made for their class. Offered is what
the package uses: `frozen` (with slots), `slots`, `eq`, `field`, `replace`; the functions of
`dataclasses` take the instances, too. A frozen instance is made in half the time, since its slots are
filled by their descriptors. A named tuple is made in a tenth of the time; offered is `NamedTuple` as
a base class, without its private functions. Type checkers see the standard library's.
"""

from __future__ import annotations

from collections.abc import Callable

try:
    from _collections import _tuplegetter  # type: ignore[import-not-found]
except ImportError:
    # As `collections` does where there is none in C.
    from operator import itemgetter

    def _tuplegetter(index: int, doc: str | None) -> Any:
        return property(itemgetter(index))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import Any
    from typing import NamedTuple as NamedTuple

__all__ = ["NamedTuple", "dataclass", "field", "replace"]


class _Missing:
    def __repr__(self) -> str:
        return "<made for each instance>"


_MISSING = _Missing()


class _Field:
    """A field of a class. It must be given where `default` and `factory` are missing."""

    __slots__ = ("annotation", "compare", "default", "factory", "init", "name", "repr")

    def __init__(self, default: Any, factory: Any, init: bool, repr: bool, compare: bool) -> None:
        self.name = ""
        self.annotation: Any = None
        self.default = default
        self.factory = factory
        self.init = init
        self.repr = repr
        self.compare = compare


def _field(
    *,
    default: Any = _MISSING,
    default_factory: Any = _MISSING,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
) -> Any:
    return _Field(default, default_factory, init, repr, compare)


def _replace(one: Any, /, **changes: Any) -> Any:
    values = {name: getattr(one, name) for name in type(one).__match_args__}
    for name in changes:
        if name not in values:
            raise TypeError(f"the field {name} cannot be given")
    return type(one)(**(values | changes))


def _dataclass(
    cls: Any = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True
) -> Any:
    if frozen and not slots:
        raise TypeError("a frozen class needs slots")
    if cls is None:
        return lambda cls: _made(cls, frozen, slots, eq)
    return _made(cls, frozen, slots, eq)


def _made(cls: Any, frozen: bool, slots: bool, eq: bool) -> Any:
    fields: dict[str, _Field] = {}
    for base in cls.__mro__[-1:0:-1]:
        fields.update({one.name: one for one in base.__dict__.get("_quick_fields", ())})
    inherited = frozenset(fields)
    own = dict(cls.__dict__)
    for name, annotation in cls.__annotations__.items():
        given = own.pop(name, _MISSING)
        one = given if type(given) is _Field else _Field(given, _MISSING, True, True, True)
        one.name, one.annotation = name, annotation
        fields[name] = one
        if one.default is not _MISSING and not slots:
            own[name] = one.default
    own.pop("__dict__", None)
    own.pop("__weakref__", None)
    # All is there when the class is made: setting a class's attribute afterwards takes far longer.
    owner: list[Any] = []
    made: dict[str, Any] = {
        "_quick_fields": tuple(fields.values()),
        "_quick_options": (frozen, eq),
        "__match_args__": tuple(one.name for one in fields.values() if one.init),
        "__init__": _first_inits(owner),
        **_SHARED,
    }
    if eq:
        made["__eq__"] = _late(owner, "__eq__", _eq)
        if own.get("__hash__") is None:
            # Python itself sets it to None where a class defines `__eq__` only.
            own.pop("__hash__", None)
            made["__hash__"] = _late(owner, "__hash__", _hash) if frozen else None
    if frozen:
        made |= _SHARED_BY_FROZEN
    if slots:
        made["__slots__"] = tuple(name for name in fields if name not in inherited)
    complete = type(cls)(cls.__name__, cls.__bases__, made | own)
    complete.__qualname__ = cls.__qualname__
    owner.append(complete)
    return complete


def _late(owner: list[Any], name: str, generate: Callable[[Any], Callable[..., Any]]) -> Any:
    """A method of the class that will be in `owner`, which is generated when it is first called."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return _generated(owner[0], name, generate)(self, *args, **kwargs)

    return method


def _generated(
    cls: Any, name: str, generate: Callable[[Any], Callable[..., Any]]
) -> Callable[..., Any]:
    generated = generate(cls)
    generated.__qualname__ = f"{cls.__qualname__}.{name}"
    setattr(cls, name, generated)
    return generated


_FILLED_BY_HAND = 25
"""Instances of a class. Generating `__init__` takes as long as filling some fifty of them."""


def _first_inits(owner: list[Any]) -> Any:
    """`__init__` of the class that will be in `owner`, until so many instances were made that
    generating it pays, or it is called in a way for which it has no answer."""
    left = _FILLED_BY_HAND

    def method(self: Any, *args: Any, **kwargs: Any) -> None:
        nonlocal left
        cls = owner[0]
        left -= 1
        if left < 0 or not _filled(cls, self, args, kwargs):
            _generated(cls, "__init__", _init)(self, *args, **kwargs)

    return method


def _filled(cls: Any, instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Do what `__init__` of `cls` does. False, with nothing done, where it would raise `TypeError`."""
    names = cls.__match_args__
    if len(args) > len(names):
        return False
    given = dict(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name in given or name not in names:
            return False
        given[name] = value
    for one in cls._quick_fields:
        name = one.name
        if name in given:
            continue
        if one.default is not _MISSING:
            given[name] = one.default
        elif one.factory is not _MISSING:
            given[name] = one.factory()
        elif one.init:
            return False
    frozen, _ = cls._quick_options
    put = object.__setattr__ if frozen else setattr
    for name, value in given.items():
        put(instance, name, value)
    if hasattr(cls, "__post_init__"):
        instance.__post_init__()
    return True


def _init(cls: Any) -> Callable[..., Any]:
    frozen, _ = cls._quick_options
    parameters, lines = [], []
    names: dict[str, Any] = {"_missing": _MISSING}
    for one in cls._quick_fields:
        name, value = one.name, one.name
        if one.init:
            parameter = name
            if one.factory is not _MISSING:
                parameter = f"{name}=_missing"
            elif one.default is not _MISSING:
                parameter = f"{name}=_default_{name}"
            parameters.append(parameter)
        elif one.default is not _MISSING:
            value = f"_default_{name}"
        elif one.factory is _MISSING:
            continue
        names[f"_default_{name}"] = one.default
        if one.factory is not _MISSING:
            names[f"_make_{name}"] = one.factory
            value = f"_make_{name}()"
            if one.init:
                value = f"{value} if {name} is _missing else {name}"
        if frozen:
            # By `object.__setattr__` it would take twice as long.
            names[f"_set_{name}"] = getattr(cls, name).__set__
            lines.append(f"_set_{name}(self, {value})")
        else:
            lines.append(f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    return _compiled("__init__", ["self", *parameters], lines or ["pass"], names)


def _eq(cls: Any) -> Callable[..., Any]:
    compared = [one.name for one in cls._quick_fields if one.compare]
    same = " and ".join(
        # As in tuples, what is one object is equal to itself.
        f"(self.{name} is other.{name} or self.{name} == other.{name})"
        for name in compared
    )
    lines = [
        "if self is other: return True",
        "if self.__class__ is not other.__class__: return NotImplemented",
        f"return {same or 'True'}",
    ]
    return _compiled("__eq__", ["self", "other"], lines, {})


def _hash(cls: Any) -> Callable[..., Any]:
    parts = "".join(f"self.{one.name}, " for one in cls._quick_fields if one.compare)
    return _compiled("__hash__", ["self"], [f"return hash(({parts}))"], {})


def _compiled(
    name: str, parameters: list[str], lines: list[str], names: dict[str, Any]
) -> Callable[..., Any]:
    body = "".join(f"    {line}\n" for line in lines)
    exec(f"def {name}({', '.join(parameters)}):\n{body}", names)
    made: Callable[..., Any] = names.pop(name)
    return made


# -- methods that all classes share ----------------------------------------------------------------


def _repr(self: Any) -> str:
    shown = [f"{one.name}={getattr(self, one.name)!r}" for one in self._quick_fields if one.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: Any, name: str, value: object) -> None:
    raise AttributeError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:
    raise AttributeError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in self._quick_fields]


def _set_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(self._quick_fields, state, strict=True):
        object.__setattr__(self, one.name, value)


class _Standard:
    """An attribute by which `dataclasses` knows its classes, made when it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: Any) -> Any:
        import dataclasses

        fields = []
        for one in owner._quick_fields:
            options = {"init": one.init, "repr": one.repr, "compare": one.compare}
            if one.default is not _MISSING:
                options["default"] = one.default
            if one.factory is not _MISSING:
                options["default_factory"] = one.factory
            fields.append((one.name, one.annotation, dataclasses.field(**options)))
        frozen, eq = owner._quick_options
        twin = dataclasses.make_dataclass(owner.__name__, fields, frozen=frozen, eq=eq, init=False)
        return getattr(twin, self._name)


_SHARED = {
    "__repr__": _repr,
    "__dataclass_fields__": _Standard("__dataclass_fields__"),
    "__dataclass_params__": _Standard("__dataclass_params__"),
}
_SHARED_BY_FROZEN = {
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _state,
    "__setstate__": _set_state,
}

# -- named tuples ----------------------------------------------------------------------------------


class _TupleType(type):
    """What makes classes of named tuples: the fields of one are its annotated names."""

    def __new__(cls, name: str, bases: tuple[type, ...], inside: dict[str, Any]) -> Any:
        if bases != (tuple,):
            names = tuple(inside["__annotations__"])
            defaults = tuple(inside[one] for one in names if one in inside)
            getters = {one: _tuplegetter(index, None) for index, one in enumerate(names)}
            inside |= {**getters, "__match_args__": names, "__new__": _first_news(names, defaults)}
        return super().__new__(cls, name, bases, inside | {"__slots__": ()})


class _NamedTuple(tuple, metaclass=_TupleType):  # type: ignore[type-arg]
    __match_args__: tuple[str, ...] = ()

    def __repr__(self) -> str:
        shown = zip(self.__match_args__, self, strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in shown)})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


def _first_news(names: tuple[str, ...], defaults: tuple[Any, ...]) -> Any:
    """`__new__` of a class with these fields, until it is generated; as `_first_inits`."""
    left = _FILLED_BY_HAND

    def method(cls: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal left
        left -= 1
        if left >= 0 and len(args) == len(names) and not kwargs:
            return tuple.__new__(cls, args)
        line = f"return _new(cls, ({''.join(f'{name}, ' for name in names)}))"
        generated = _compiled("__new__", ["cls", *names], [line], {"_new": tuple.__new__})
        generated.__qualname__ = f"{cls.__name__}.__new__"
        generated.__defaults__ = defaults
        cls.__new__ = staticmethod(generated)
        return generated(cls, *args, **kwargs)

    return method


if not TYPE_CHECKING:
    dataclass, field, replace, NamedTuple = _dataclass, _field, _replace, _NamedTuple
