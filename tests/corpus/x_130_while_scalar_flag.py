# rule: ref-truthiness
import jax

running = jax.new_ref(True)
ticks = 0
while running:  # <-- here
    ticks += 1
    if ticks > 3:
        running[...] = False
