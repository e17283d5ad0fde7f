"""All modules that register descriptions. Importing this one completes `registry.DESCRIPTIONS`."""

from __future__ import annotations

from jaxref.jaxmodel import (
    control,
    grad,
    jax_misc,
    kernels,
    python_builtins,
    python_classes,
    python_functools,
    python_itertools,
    pytrees,
    refs,
    transforms,
    vjp,
)

MODULES = (
    control,
    grad,
    jax_misc,
    kernels,
    python_builtins,
    python_classes,
    python_functools,
    python_itertools,
    pytrees,
    refs,
    transforms,
    vjp,
)
