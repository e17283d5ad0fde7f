# rule: none
import types

import jax
import jax.numpy as jnp


def freeze(mapping):
    return types.MappingProxyType({k: freeze(v) if isinstance(v, dict) else v for k, v in mapping.items()})


def unfreeze(frozen):
    return {k: unfreeze(v) if isinstance(v, types.MappingProxyType) else v for k, v in frozen.items()}


config = freeze({"model": {"width": 2, "depth": 1}, "lr": 0.1})
params = {"w": jax.new_ref(jnp.ones(config["model"]["width"]))}
params["w"][...] -= config["lr"]
config2 = unfreeze(config)
config2["lr"] *= 0.5
params["w"][...] -= config2["lr"]
print(params["w"][...], freeze(config2)["lr"])
