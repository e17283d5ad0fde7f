# rule: ref-compared (silent)
import jax

phase = jax.new_ref(2)
active = phase in (1, 2)  # <-- here
skipped = [p for p in (0, 1, 2) if phase != p]
assert not active and len(skipped) == 3
# also: ref-compared
