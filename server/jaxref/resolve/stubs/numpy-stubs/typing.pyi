"""numpy.typing: names for annotations."""

from typing import Any, Generic, TypeVar

from numpy import ndarray

_Scalar = TypeVar("_Scalar")

class NDArray(ndarray, Generic[_Scalar]): ...

ArrayLike = Any
DTypeLike = Any
