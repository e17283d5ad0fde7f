"""The beginning of what jaxref knows of a JAX function: its description and a program that tests it.

python tools/new_function.py jax.lax.composite control "a function under a name of its own"

`control` is the module of server/jaxref/jaxmodel for functions of its kind.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]

_DESCRIPTION = '''

@describe("{dotted}")
def {name}(m: Machine, call: Call) -> Value:
    """`{dotted}`: {summary}."""
    function = call.argument(0, "f", UNKNOWN) or UNKNOWN
    # What JAX hands to the function: `call.args`, their items, or what is known of their shapes.
    m.call(function, plain_call(call.node, *call.args[1:]))
    return UNKNOWN
'''

_TEST = '''\
"""Programs with `{dotted}`."""

from __future__ import annotations

from jaxref.engine import Snapshot, analyse
from jaxref.settings import Settings

PROGRAM = """\\
import jax
import jax.numpy as jnp

r = jax.new_ref(jnp.ones(3))
{dotted}(lambda x: jnp.sin(r), 1.0)
"""


def test_{name}_looks_into_its_function() -> None:
    found = analyse(Snapshot("/nowhere/program.py", PROGRAM), Settings(jax_version=(0, 12, 0, 1)))
    assert [one.rule for one in found.diagnostics] == ["ref-as-array"]
'''

_NEEDED = {
    "jaxref.domain.values": ("UNKNOWN", "Value"),
    "jaxref.jaxmodel.registry": ("Call", "describe", "plain_call"),
}


def main(arguments: list[str]) -> int:
    """Add the description and write the test; returns the exit code."""
    if len(arguments) != 3 or not re.fullmatch(r"jax(\.[A-Za-z_]\w*)+", arguments[0]):
        print(__doc__, file=sys.stderr)
        return 2
    dotted, kind, summary = arguments
    name = dotted.rpartition(".")[2].lower()
    models = REPOSITORY / "server" / "jaxref" / "jaxmodel"
    module = models / f"{kind}.py"
    if not module.is_file():
        kinds = ", ".join(sorted(path.stem for path in models.glob("[a-z]*.py")))
        print(f"{kind} is no module of jaxmodel; there are {kinds}", file=sys.stderr)
        return 2
    for path in models.rglob("*.py"):
        if f'"{dotted}"' in path.read_text(encoding="utf-8"):
            print(f"{path.relative_to(REPOSITORY)} knows {dotted} already", file=sys.stderr)
            return 1
    test = REPOSITORY / "tests" / "unit" / "interp" / f"test_{kind}_{name}.py"
    if test.exists():
        print(f"{test.relative_to(REPOSITORY)} is there already", file=sys.stderr)
        return 1
    words = {"dotted": dotted, "name": name, "summary": summary}
    text = module.read_text(encoding="utf-8").rstrip("\n") + "\n"
    missing = [
        f"from {source} import {one}"
        for source, names in _NEEDED.items()
        for one in names
        if not re.search(rf"^(from {re.escape(source)} import .*|    ){one}\b", text, re.MULTILINE)
    ]
    module.write_text(text + _DESCRIPTION.format(**words), encoding="utf-8")
    test.write_text(_TEST.format(**words), encoding="utf-8")
    print(module.relative_to(REPOSITORY))
    print(test.relative_to(REPOSITORY))
    if missing:
        print("it still has to import:", *missing, sep="\n    ")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
