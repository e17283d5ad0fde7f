# rule: ref-returned
import unittest

import jax
import jax.numpy as jnp


class RefEscapes(unittest.TestCase):
    def setUp(self):
        self.ref = jax.new_ref(jnp.zeros(2))

    def test_jit_identity(self):
        identity = jax.jit(lambda r: r)
        self.assertRaises(ValueError, identity, self.ref)

    def test_scan(self):
        with self.assertRaises(ValueError):
            jax.lax.scan(lambda c, _: (c, self.ref), 0, None, length=2)  # <-- here


suite = unittest.defaultTestLoader.loadTestsFromTestCase(RefEscapes)
outcome = unittest.TextTestRunner(verbosity=0).run(suite)
assert outcome.wasSuccessful()
