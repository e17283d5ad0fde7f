"""JAX as the oracle: what a program really does, statement by statement.

One warm process has JAX imported and forks for each program (`worker.py`), so that a program costs
a quarter of a second and none sees another's state. Answers can be kept on disk by
content (`keep_in`).
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

WORKER = Path(__file__).with_name("worker.py")

Outcome = Literal["ran", "raised", "unreached"]


@dataclass(frozen=True, slots=True)
class Claim:
    """After the top-level statement that holds `line`, `expression` is compared with `meant`."""

    line: int
    expression: str
    meant: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What became of one top-level statement; lines count from 1 in the program.

    `unreached`: it failed only for want of a name that an earlier, raising statement would have
    bound. `raised_at` is the innermost line of the traceback that lies in the program.
    """

    line: int
    end: int
    outcome: Outcome
    exception: str = ""
    message: str = ""
    raised_at: int = 0


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one claim: `failed` tells why it could not be evaluated."""

    line: int
    same: bool = False
    value: str = ""
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One program's run. `crashed` is None unless the program could not be run to its end."""

    statements: tuple[Statement, ...]
    claims: tuple[Checked, ...]
    crashed: str | None = None

    @property
    def raised(self) -> tuple[Statement, ...]:
        """The statements that raised."""
        return tuple(s for s in self.statements if s.outcome == "raised")


class OracleMissing(Exception):
    """The interpreter has no JAX that can be imported."""


class Oracle:
    """A running worker. Raises `OracleMissing` when `python` cannot import JAX."""

    def __init__(self, python: str = sys.executable, parallel: int = 2) -> None:
        environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
        environment.pop("PYTHONPATH", None)
        self._process = subprocess.Popen(
            [python, "-W", "ignore", str(WORKER), str(parallel)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
            encoding="utf-8",
            cwd=WORKER.parent,
        )
        atexit.register(self.close)
        greeting = json.loads(self._output.readline() or "{}")
        if "jax" not in greeting:
            self.close()
            raise OracleMissing(greeting.get("missing", f"{python} could not be started"))
        self.jax: str = greeting["jax"]
        self._identity = f"{greeting['jax']} {greeting['python']} {WORKER.read_text()}"
        self._kept: Path | None = None
        self._answered = threading.Condition()
        self._answers: dict[str, dict[str, Any]] = {}
        self._asked: set[str] = set()
        self._ended = False
        threading.Thread(target=self._listen, daemon=True).start()

    def keep_in(self, folder: Path) -> None:
        """Keep answers in a folder, by content: JAX, Python, this worker, program and claims."""
        self._kept = folder

    def ask(self, text: str, claims: Iterable[Claim] = (), timeout: float = 120.0) -> str:
        """Queue a program and return the ticket that `answer` takes; asking twice runs it once."""
        request: dict[str, Any] = {
            "name": "program.py",
            "text": text,
            "checks": [
                {"line": c.line, "expression": c.expression, "meant": c.meant} for c in claims
            ],
            "timeout": timeout,
        }
        content = self._identity + json.dumps(request, sort_keys=True)
        ticket = hashlib.sha256(content.encode()).hexdigest()
        if ticket in self._asked:
            return ticket
        self._asked.add(ticket)
        kept = self._place(ticket)
        if kept is not None and kept.exists():
            self._answers[ticket] = json.loads(kept.read_text())
            return ticket
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"id": ticket, **request}) + "\n")
        self._process.stdin.flush()
        return ticket

    def answer(self, ticket: str) -> Run:
        """Wait for the program behind `ticket`."""
        with self._answered:
            self._answered.wait_for(lambda: ticket in self._answers or self._ended)
            if ticket not in self._answers:
                raise RuntimeError("the oracle's process ended without an answer")
            return _run(self._answers[ticket])

    def run(self, text: str, claims: Iterable[Claim] = (), timeout: float = 120.0) -> Run:
        """Execute a program and wait for it."""
        return self.answer(self.ask(text, claims, timeout))

    def close(self) -> None:
        """End the worker; what is still queued is dropped."""
        atexit.unregister(self.close)
        self._process.kill()
        self._process.wait()

    @property
    def _output(self) -> Any:
        return self._process.stdout

    def _place(self, ticket: str) -> Path | None:
        return self._kept / f"{ticket}.json" if self._kept is not None else None

    def _listen(self) -> None:
        for line in self._output:
            answer = json.loads(line)
            ticket = answer["id"]
            place = self._place(ticket)
            if place is not None and answer["crashed"] is None:
                unfinished = place.with_suffix(".part")
                unfinished.write_text(line)
                unfinished.replace(place)
            with self._answered:
                self._answers[ticket] = answer
                self._answered.notify_all()
        with self._answered:
            self._ended = True
            self._answered.notify_all()


@cache
def shared() -> Oracle:
    """The test run's one oracle, under `$JAXREF_ORACLE` or the running interpreter.

    Raises `OracleMissing` where that interpreter has no JAX.
    """
    return Oracle(os.environ.get("JAXREF_ORACLE") or sys.executable)


def _run(answer: dict[str, Any]) -> Run:
    statements = tuple(
        Statement(
            s["line"],
            s["end"],
            s["outcome"],
            s.get("exception", ""),
            s.get("message", ""),
            s.get("raised_at", 0),
        )
        for s in answer["statements"]
    )
    claims = tuple(
        Checked(c["line"], c.get("same", False), c.get("value", ""), c.get("failed", ""))
        for c in answer["checks"]
    )
    return Run(statements, claims, answer["crashed"])
