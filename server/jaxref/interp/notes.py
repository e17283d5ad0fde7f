"""What a run notices of values beside the heap: that a VJP was read, under which name a ref is reached."""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T", set[Any], list[Any], dict[Any, Any])


class Notes:
    """Notes by key. Those of an entry are laid over those of the module, which they leave as they are.

    What nobody called is entered as if it were the first, and what it does is nobody else's matter.
    `changed` becomes true at each change, until it is set back.
    """

    __slots__ = ("_below", "_own", "changed")

    def __init__(self, below: Notes | None = None) -> None:
        self._below: dict[Any, Any] = {} if below is None else below._own
        self._own: dict[Any, Any] = {}
        self.changed = False

    def get(self, key: object, default: Any = None) -> Any:
        """The note `key`, which is not to be changed in place, or `default`."""
        found = self._own.get(key)
        return self._below.get(key, default) if found is None else found

    def __setitem__(self, key: object, value: object) -> None:
        self._own[key] = value
        self.changed = True

    def define(self, key: object, value: object) -> None:
        """Make the note `key` unless there is one. It says what something is, so nothing changes."""
        if self.get(key) is None:
            self._own[key] = value

    def kept(self, key: object, make: Callable[[], Any]) -> Any:
        """The note `key`, made at the first time."""
        found = self.get(key)
        if found is None:
            found = self[key] = make()
        return found

    def own(self, key: object) -> dict[Any, Any]:
        """The dict under `key`, to be changed in place, without what lies below."""
        self.changed = True
        found: dict[Any, Any] = self._own.setdefault(key, {})
        return found

    def changing(self, key: object, make: type[T]) -> T:
        """The set, list or dict under `key`, an empty one at first, to be changed in place."""
        self.changed = True
        found: T | None = self._own.get(key)
        if found is None:
            found = self._own[key] = make(self._below.get(key, ()))
        return found
