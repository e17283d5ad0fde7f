"""jax.typing: names for annotations."""

from typing import Any

from jax import Array

ArrayLike = Array | bool | int | float | complex
DTypeLike = Any
