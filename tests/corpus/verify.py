#!/usr/bin/env python3
"""Check the labels of the programs beside this file by running each under the installed JAX.

usage: verify.py [--verbose] [--jobs N] [--seconds S] [NAME ...]

NAME is a file name or a part of one; without it every program runs. JAX is imported once and each
program runs in a forked child with a time limit. What a label promises is described in README.md.
Exit code 0 when every label holds, 1 when one does not, 2 when there is nothing to run.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import selectors
import signal
import sys
import time
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

TraceFunction = Callable[[types.FrameType, str, Any], Any]

FOLDER = Path(__file__).resolve().parent

# What JAX says for each rule: `ExceptionName: words`, matched from the start of either part. A program
# that fails for another reason than its label says is as wrong as one that does not fail.
SAYS: dict[str, tuple[str, ...]] = {
    "unbound-ref-gradient": (r"ValueError: .*Ref-typed, so its gradient must be accumulated",),
    "ref-gradient-as-value": (r"ValueError: .*Ref-typed, can't be returned as a value",),
    "with-refs-structure": (
        r"ValueError: unexpected tree structure in the arguments to a VJP function's",
        r"TypeError: VJP\.with_refs\(\) got an unexpected keyword argument",
    ),
    "gradient-ref-type": (
        r"ValueError: unexpected JAX type \(e\.g\. shape/dtype\) for gradient ref",
    ),
    "dont-want-written-ref": (
        r"AttributeError: '(Null|Val)Accum' object has no attribute 'ref'",
        r"ValueError: Expected cotangent type Ref\{.*\} but got",
    ),
    "grad-of-ref": (r"TypeError: (grad|jacrev) cannot differentiate with respect to a Ref-typed",),
    "rebind-bound-vjp": (r"AttributeError: 'Partial' object has no attribute 'with_refs'",),
    "cotangent-structure": (
        r"ValueError: unexpected tree structure\.",
        r"ValueError: unexpected JAX type \(e\.g\. shape/dtype\) for argument to VJP function",
        r"TypeError: (\n)?The function returned by `jax\.vjp` applied to",
        r"TypeError: _vjp3_bwd\(\) takes",
    ),
    "ref-as-array": (
        r"TypeError: .*got a Ref of type",
        r"TypeError: unsupported operand type",
        r"TypeError: bad operand type for unary",
        r"AttributeError: 'AbstractRef' object has no attribute",
        r"AttributeError: 'Ref' object has no attribute",
        r"AttributeError: Ref\{.*\} has no attribute",
        r"ValueError: Attempting to pass a Ref",
        r"ValueError: Cannot store a Ref into another Ref",
        r"TypeError: unexpected PRNG key type",
        r"TypeError: .*'<' not supported between instances of",
        r"TypeError: .*Ref",
        r"IndexError: only integers, slices (.|\n)* Got Ref\(",
        r"ValueError: only one reference (.|\n)*when tracing \w+ at .*jax/_src",
    ),
    "ref-returned": (r"ValueError: (.|\n)*returned a mutable array reference",),
    "ref-aliased": (
        r"ValueError: only one reference to a mutable array may be passed",
        r"ValueError: (.|\n)*was both closed over and passed as the argument",
    ),
    "vmap-closes-over-ref": (
        r"Exception: performing an? \S+ operation with vmapped value on an unbatched",
    ),
    "use-after-freeze": (
        r"ValueError: `?(get|swap)`? must be called on `?Ref`? types",
        r"AttributeError: 'ShapedArray' object has no attribute 'inner_aval'",
        r"KeyError: ",
    ),
    "tainted-ref-write": (
        r"Exception: performing an? \S+ operation with a differentiated value on a non-diff",
        r"TypeError: Error interpreting argument to .*addupdate",
        r"TypeError: (.|\n)*ad_util\.Zero",
    ),
    "ref-of-ref": (r"AssertionError: $",),
    "placeholder-as-gradient": (
        r"(TypeError|AttributeError|ValueError): (.|\n)*(GradRef|DidntWant)",
    ),
    "unrestored-residuals": (r"ValueError: the VJP function was applied before restoring",),
    "stale-ref-api": (r"(AttributeError|ImportError|ModuleNotFoundError): ",),
}


@dataclasses.dataclass(frozen=True, slots=True)
class Label:
    """What the first line and the marks of a program promise. Lines are 1-based."""

    rule: str
    silent: bool
    caught: bool
    here: tuple[int, ...]
    cause: tuple[int, ...]
    has_evidence: bool

    @property
    def raises(self) -> bool:
        return self.rule != "none" and not self.silent and not self.caught


def label_of(path: Path) -> Label:
    lines = path.read_text(encoding="utf-8").splitlines()
    first = re.fullmatch(r"# rule: ([a-z-]+)( \(silent\))?", lines[0])
    if first is None:
        raise ValueError(f"{path.name}: the first line must be `# rule: NAME`")

    def marked(mark: str) -> tuple[int, ...]:
        return tuple(i for i, line in enumerate(lines, 1) if line.rstrip().endswith(mark))

    return Label(
        rule=first[1],
        silent=first[2] is not None,
        caught=path.name.startswith("caught_"),
        here=marked("# <-- here"),
        cause=marked("# <-- cause"),
        has_evidence=any(re.match(r"\s*assert ", line) for line in lines),
    )


def lines_where_exceptions_pass(path: Path, lines: set[int]) -> TraceFunction:
    """A trace function that adds to `lines` each line of the program that an exception passes."""

    def in_frame(frame: types.FrameType, event: str, _argument: object) -> TraceFunction:
        if event == "exception":
            lines.add(frame.f_lineno)
        return in_frame

    def on_call(frame: types.FrameType, _event: str, _argument: object) -> TraceFunction | None:
        return in_frame if frame.f_code.co_filename == str(path) else None

    return on_call


def run_in_this_process(path: Path, trace: bool) -> dict[str, Any]:
    """Run a program as `__main__`: its exception, and the line of the innermost frame inside it.

    With `trace` also `passed`: the lines of the program that some exception passed.
    """
    passed: set[int] = set()
    if trace:
        sys.settrace(lines_where_exceptions_pass(path, passed))
    try:
        return {**outcome(path), "passed": sorted(passed)}
    finally:
        sys.settrace(None)


def outcome(path: Path) -> dict[str, Any]:
    main = types.ModuleType("__main__")
    main.__file__ = str(path)
    sys.modules["__main__"] = main
    sys.argv = [str(path)]
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), main.__dict__)
    except SystemExit as stop:
        return {} if not stop.code else {"error": f"SystemExit: {stop.code}", "line": None}
    except BaseException as error:
        frames = traceback.walk_tb(error.__traceback__)
        inside = [line for frame, line in frames if frame.f_code.co_filename == str(path)]
        words = f"{type(error).__name__}: {error}"
        return {"error": words, "line": inside[-1] if inside else None}
    return {}


def start(path: Path, seconds: int) -> tuple[int, int]:
    """Fork a child that runs `path`; gives its process id and the pipe its JSON result comes by."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    os.close(reader)
    signal.alarm(seconds)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    result = run_in_this_process(path, trace=label_of(path).caught)
    os.write(writer, json.dumps(result).encode()[:60000])
    os._exit(0)


def results(
    paths: Iterable[Path], jobs: int, seconds: int
) -> Iterator[tuple[Path, dict[str, Any]]]:
    waiting = list(paths)[::-1]
    running: dict[int, tuple[int, Path]] = {}
    with selectors.DefaultSelector() as selector:
        while waiting or running:
            while waiting and len(running) < jobs:
                path = waiting.pop()
                pid, reader = start(path, seconds)
                running[reader] = pid, path
                selector.register(reader, selectors.EVENT_READ)
            for key, _ in selector.select():
                reader = key.fd
                text = b""
                while chunk := os.read(reader, 65536):
                    text += chunk
                selector.unregister(reader)
                os.close(reader)
                pid, path = running.pop(reader)
                _, status = os.waitpid(pid, 0)
                if text:
                    yield path, json.loads(text)
                else:
                    end = f"ended with status {status}, or took longer than {seconds} s"
                    yield path, {"error": end, "line": None}


def complaints(label: Label, result: dict[str, Any]) -> list[str]:
    """Why the label does not hold; empty when it does."""
    error, line = result.get("error"), result.get("line")
    said = str(error).strip().split("\n")[0][:200]
    if not label.raises:
        wrong = [f"must end cleanly, but line {line}: {said}"] if error else []
        if label.silent and not label.has_evidence:
            wrong.append("a silent program must assert the wrong result")
        if label.silent and not label.here:
            wrong.append("no line is marked")
        if label.caught and not label.here:
            wrong.append("no line is marked")
        if label.caught and (unseen := set(label.here) - set(result.get("passed", ()))):
            wrong.append(f"no exception passed the marked line {sorted(unseen)}")
        if label.rule == "none" and (label.here or label.cause):
            wrong.append("a correct program marks no line")
        return wrong
    if not error:
        return ["must raise, but ends cleanly"]
    wrong = []
    if line not in label.here:
        wrong.append(f"raised on line {line}, `# <-- here` marks {list(label.here)}: {said}")
    patterns = SAYS.get(label.rule, ())
    if patterns and not any(re.match(p, str(error)) for p in patterns):
        wrong.append(f"raised for another reason: {said}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--verbose", action="store_true", help="print what every program does")
    options = parser.parse_args()

    paths = [
        path
        for path in sorted(FOLDER.glob("*.py"))
        if path.read_text(encoding="utf-8").startswith("# rule:")
        and (not options.names or any(name in path.name for name in options.names))
    ]
    if not paths:
        print("no program to run", file=sys.stderr)
        return 2
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ["JAX_TRACEBACK_FILTERING"] = "off"
    import jax
    import jax.experimental.pallas
    import jax.scipy

    labels = {path: label_of(path) for path in paths}
    began, failed = time.monotonic(), 0
    for path, result in results(paths, options.jobs, options.seconds):
        wrong = complaints(labels[path], result)
        failed += bool(wrong)
        for words in wrong:
            print(f"{path.name}: {words}")
        if options.verbose and not wrong:
            print(f"{path.name}: ok: {str(result.get('error', 'clean'))[:160]!r}")
    took = time.monotonic() - began
    print(
        f"{len(paths) - failed} of {len(paths)} labels hold ({took:.0f} s, JAX {jax.__version__})"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
