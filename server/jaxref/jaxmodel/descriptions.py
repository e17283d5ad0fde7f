"""All modules that register descriptions. Importing this one completes `registry.DESCRIPTIONS`."""

from __future__ import annotations

from jaxref.jaxmodel import (
    control,
    custom_rules,
    grad,
    jax_misc,
    kernels,
    mapping,
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
    custom_rules,
    grad,
    jax_misc,
    kernels,
    mapping,
    python_builtins,
    python_classes,
    python_functools,
    python_itertools,
    pytrees,
    refs,
    transforms,
    vjp,
)
