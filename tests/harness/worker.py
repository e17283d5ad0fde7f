"""The oracle's process: imports JAX once, then forks for each program.

Started by `oracle.Oracle` with the interpreter that has JAX; needs nothing but the standard library
and JAX. Reads one JSON request a line on standard input, writes one JSON answer a line on standard
output. No computation ever runs in the parent: XLA's threads would not survive the fork.
"""

from __future__ import annotations
import __future__

import ast
import itertools
import json
import linecache
import os
import selectors
import signal
import sys
import time
import types
import warnings
from collections import deque
from dataclasses import dataclass, field
from typing import Any

FEATURES = [getattr(__future__, name).compiler_flag for name in __future__.all_feature_names]


@dataclass
class Child:
    request: dict[str, Any]
    pid: int
    pipe: int
    deadline: float
    received: bytes = b""
    timed_out: bool = False
    events: list[dict[str, Any]] = field(default_factory=list)


def main() -> None:
    """Serve until standard input ends."""
    parallel = int(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        import jax

        version = jax.__version__
        import jax.numpy  # warm: everything below is what programs import
        import jax.scipy
        import jax.tree_util
        import numpy  # noqa: F401
    except ImportError as error:
        print(json.dumps({"missing": str(error)}), file=answers)
        return
    python = ".".join(map(str, sys.version_info[:3]))
    print(json.dumps({"jax": version, "python": python}), file=answers)
    warnings.filterwarnings("ignore")

    selector = selectors.DefaultSelector()
    selector.register(0, selectors.EVENT_READ, "requests")
    waiting: deque[dict[str, Any]] = deque()
    children: dict[int, Child] = {}
    buffered, open_input = b"", True
    while open_input or waiting or children:
        while waiting and len(children) < parallel:
            child = start(waiting.popleft())
            children[child.pipe] = child
            selector.register(child.pipe, selectors.EVENT_READ, child)
        for key, _ in selector.select(timeout=0.5):
            data = os.read(key.fd, 1 << 16)
            if key.data == "requests":
                if not data:
                    open_input = False
                    selector.unregister(0)
                *lines, buffered = (buffered + data).split(b"\n")
                waiting.extend(json.loads(line) for line in lines)
            elif data:
                key.data.received += data
            else:
                selector.unregister(key.fd)
                print(json.dumps(finish(children.pop(key.fd))), file=answers)
        now = time.monotonic()
        for child in children.values():
            if now > child.deadline and not child.timed_out:
                child.timed_out = True
                os.kill(child.pid, signal.SIGKILL)


def start(request: dict[str, Any]) -> Child:
    """Fork a child that runs the request's program and reports through a pipe."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        quiet = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(quiet, standard)
        try:
            with os.fdopen(writing, "w", buffering=1) as report:
                run(request, report)
        finally:
            os._exit(0)
    os.close(writing)
    return Child(request, pid, reading, time.monotonic() + request["timeout"])


def finish(child: Child) -> dict[str, Any]:
    """The answer for a child whose pipe has ended."""
    os.close(child.pipe)
    _, status = os.waitpid(child.pid, 0)
    events = [json.loads(line) for line in child.received.splitlines()]
    done = any(event["event"] == "end" for event in events)
    crashed = None
    if child.timed_out:
        crashed = f"still running after {child.request['timeout']:g} s"
    elif not done:
        crashed = f"the process ended early (status {status})"
    for event in events:
        if event["event"] == "syntax":
            crashed = event["message"]
    return {
        "id": child.request["id"],
        "statements": [event for event in events if event["event"] == "statement"],
        "checks": [event for event in events if event["event"] == "check"],
        "crashed": crashed,
    }


def run(request: dict[str, Any], report: Any) -> None:
    """Execute the program's top-level statements one by one, each whatever became of the others."""
    name, text = request["name"], request["text"]

    def tell(**event: Any) -> None:
        report.write(json.dumps(event) + "\n")

    module = types.ModuleType("__main__")
    module.__file__ = name
    sys.modules["__main__"] = module
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    try:
        tree = ast.parse(text, name)
    except SyntaxError as error:
        tell(event="syntax", message=f"SyntaxError: {error}")
        tell(event="end")
        return
    flags = 0
    missing: set[str] = set()
    for statement in tree.body:
        first = min([statement.lineno, *(d.lineno for d in decorators(statement))])
        place = {"line": first, "end": statement.end_lineno}
        try:
            code = compile(ast.Module([statement], []), name, "exec", flags, dont_inherit=True)
            flags |= sum(flag for flag in FEATURES if code.co_flags & flag)
            exec(code, module.__dict__)
        except BaseException as error:
            gone = isinstance(error, NameError) and getattr(error, "name", None) in missing
            missing |= {bound for bound in bindings(statement) if bound not in module.__dict__}
            if gone:
                tell(event="statement", outcome="unreached", **place)
                continue
            lines = program_lines(error, name)
            tell(
                event="statement",
                outcome="raised",
                **place,
                exception=type(error).__name__,
                message=message_of(error),
                raised_at=lines[-1] if lines else first,
                through=lines,
            )
            continue
        tell(event="statement", outcome="ran", **place)
        for check in request["checks"]:
            if first <= check["line"] <= statement.end_lineno:
                tell(event="check", line=check["line"], **examine(check, module.__dict__))
    tell(event="end")


def decorators(statement: ast.stmt) -> list[ast.expr]:
    return getattr(statement, "decorator_list", [])


def bindings(statement: ast.stmt) -> set[str]:
    """The module-level names that a statement would have bound, had it not raised."""
    names: set[str] = set()
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        pending.extend(ast.iter_child_nodes(node))
    return names


def program_lines(error: BaseException, name: str) -> list[int]:
    """The program's own lines in the traceback, outermost first."""
    lines, step = [], error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == name:
            lines.append(step.tb_lineno)
        step = step.tb_next
    return lines


def message_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as broken:
        return f"<{type(broken).__name__} in __str__>"


def examine(check: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    """Whether the expression's value is what was meant: a `wrong` claim says that it is not."""
    try:
        value = eval(check["expression"], names)
        meant = eval(check["meant"], names)
        return {"same": same(value, meant), "value": shown(value)}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {message_of(error)}"}


def shown(value: Any) -> str:
    return " ".join(repr(value).split())[:200]


def same(value: Any, meant: Any) -> bool:
    """Equality through containers; numbers and arrays to float32 accuracy, refs by their content."""
    import jax
    import numpy

    if isinstance(value, getattr(jax, "Ref", ())):
        value = value[...]
    if isinstance(meant, getattr(jax, "Ref", ())):
        meant = meant[...]
    if isinstance(value, dict) and isinstance(meant, dict):
        return value.keys() == meant.keys() and all(same(value[k], meant[k]) for k in meant)
    if isinstance(meant, (list, tuple)) and isinstance(value, (list, tuple)):
        pairs = itertools.zip_longest(value, meant, fillvalue=jax)
        return all(same(a, b) for a, b in pairs)
    if isinstance(value, (str, type(None))) or isinstance(meant, (str, type(None))):
        return value is meant or value == meant
    try:
        left, right = numpy.asarray(value), numpy.asarray(meant)
    except Exception:
        return bool(value == meant)
    if left.dtype == object or right.dtype == object:
        return bool(value == meant)
    if left.shape != right.shape:
        return False
    return bool(numpy.allclose(left, right, rtol=1e-4, atol=1e-6))


if __name__ == "__main__":
    main()
