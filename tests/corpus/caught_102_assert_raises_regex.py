# rule: grad-of-ref
import unittest
import jax
import jax.numpy as jnp


class TestGradRejectsRefs(unittest.TestCase):
    def setUp(self):
        self.w = jax.new_ref(jnp.ones(2))

    def test_grad(self):
        with self.assertRaisesRegex(TypeError, "Ref-typed"):
            jax.grad(lambda w: w[...].sum())(self.w)  # <-- here

    def test_read(self):
        self.assertEqual(float(self.w[...].sum()), 2.0)


result = unittest.TestResult()
unittest.defaultTestLoader.loadTestsFromTestCase(TestGradRejectsRefs).run(result)
assert result.wasSuccessful(), result.failures + result.errors
