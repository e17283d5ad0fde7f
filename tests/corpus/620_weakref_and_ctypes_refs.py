# rule: none
import ctypes
import weakref


class Sensor:
    def __init__(self):
        self.value = 0

    def freeze(self):
        return tuple([self.value])


sensor = Sensor()
ref = weakref.ref(sensor)
if ref() is not None and ref == weakref.ref(sensor):
    ref().value += 1
refs = {k: weakref.ref(sensor) for k in "ab"}
x = ctypes.c_int(3)
x_ref = ctypes.byref(x)
print(ref, ref in (1, 2), bool(x_ref), sensor.freeze(), sensor.freeze())
del sensor
print([r() for r in refs.values()])
