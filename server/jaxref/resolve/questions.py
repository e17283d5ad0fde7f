"""Questions about types, asked from any thread and answered one after the other on one of their own.

The answers come from jedi, which is not thread-safe and cannot be interrupted in a call.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from jaxref.diagnostics.failures import failure
from jaxref.quick_dataclasses import dataclass, field
from jaxref.resolve.files import Stamp, stamp_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import logging
    import queue

    from jaxref.resolve.jedi_backend import Oracle

ANSWER_SECONDS = 10.0
"""How long a waiting caller bears one question before it goes on without the answer."""

_KEPT_ANSWERS = 4096
_STACK_BYTES = 128 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class JediName:
    """One thing that an expression may be.

    `type` is jedi's: "instance", "class", "function", "module", ... For an instance `full_name` is
    that of its class. `module_path` is where it is defined, None for what has no file.
    """

    full_name: str | None
    type: str
    module_path: str | None
    description: str


@dataclass(frozen=True, slots=True)
class SearchPath:
    """Where jedi looks for modules: the project's folders, then those of packages.

    `overlay` maps absolute paths to the texts of open editors.
    """

    folders: tuple[str, ...] = ()
    site_packages: tuple[str, ...] = ()
    editable: Mapping[str, str] = field(default_factory=dict)
    overlay: Mapping[str, str] = field(default_factory=dict)

    identity: tuple[object, ...] = field(init=False)
    """Equal for search paths that lead to the same answers while the disk stays as it is."""

    def __post_init__(self) -> None:
        overlaid = hash(frozenset(self.overlay.items()))
        editable = tuple(sorted(self.editable.items()))
        identity = (self.folders, self.site_packages, editable, overlaid)
        object.__setattr__(self, "identity", identity)


class Reads:
    """The files of the project and its packages that a script read, as they were then."""

    def __init__(self) -> None:
        self.stamps: dict[str, Stamp] = {}

    def is_unchanged(self) -> bool:
        return all(stamp == stamp_of(path) for path, stamp in tuple(self.stamps.items()))


@dataclass(frozen=True, slots=True)
class Question:
    """What is the expression whose last character stands before `line`, `column`?

    `line` counts from 1 and `column` from 0 in code points: the end that `ast` gives, in characters.
    With `declared`, the place is the end of a name and the question is what it was declared to be:
    by its annotation, for a parameter without one by its default and the calls in this module.
    """

    path: str
    text: str
    line: int
    column: int
    search: SearchPath
    declared: bool = False


class JediBackend:
    """Answers questions about types, one after the other on a thread of its own.

    An answer is kept until a file that it rests on changes. A failure inside jedi costs that one
    answer: `when_failed` is told, and it counts as "nothing known".
    """

    def __init__(self, cache_folder: str | None = None) -> None:
        self._cache_folder = cache_folder
        import queue

        self._jobs: queue.Queue[_Job] = queue.Queue()
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[object, ...], _Answer] = OrderedDict()
        self._pending: dict[tuple[object, ...], _Job] = {}
        self._newest: dict[str, int] = {}
        self._thread: threading.Thread | None = None
        self._process = 0
        self._busy_since: float | None = None
        self._generation = 0
        self.failures = 0
        """How many answers were lost to an exception inside jedi."""
        self.when_failed: Callable[[str], None] = lambda line: _log().warning(line)
        """Told of each of them, in one line, on jedi's thread."""

    def ask(self, question: Question, seconds: float = ANSWER_SECONDS) -> tuple[JediName, ...]:
        """The answer, awaited for at most `seconds`; () when nothing is known or it took longer.

        A question that jedi is stuck on makes those behind it give up at once.
        """
        key = _key(question)
        kept = self._kept(key)
        if kept is not None:
            return kept
        since = self._busy_since
        if since is not None and time.monotonic() - since > seconds:
            return ()
        job = self._submit(key, question, None, droppable=False)
        if not job.done.wait(seconds):
            _log().info("no answer from jedi within %s s for %s", seconds, question.path)
            return ()
        return job.names

    def ask_later(
        self, question: Question, when_answered: Callable[[], None] | None = None
    ) -> tuple[JediName, ...] | None:
        """The answer if it is there; else None, and it is sought.

        `when_answered` is called once the answer is there, on jedi's thread, which it must not
        hold. A question about a text that has a newer version by then is dropped, and its callback
        with it.
        """
        key = _key(question)
        kept = self._kept(key)
        if kept is None:
            self._submit(key, question, when_answered, droppable=True)
        return kept

    def is_answered(self, question: Question) -> bool:
        """Whether the answer is there, be it that nothing is known."""
        return self._kept(_key(question)) is not None

    def files_behind(self, question: Question) -> frozenset[str]:
        """The files, of the project and of packages, that the kept answer rests on."""
        with self._lock:
            answer = self._answers.get(_key(question))
        return frozenset() if answer is None else frozenset(answer.rests_on.stamps)

    def forget(self) -> None:
        """Drop all answers: files came into being that were looked for in vain."""
        with self._lock:
            self._answers.clear()
            self._generation += 1
        if self._thread is not None:
            self._jobs.put(_Job((), None, droppable=False))

    def _kept(self, key: tuple[object, ...]) -> tuple[JediName, ...] | None:
        with self._lock:
            answer = self._answers.get(key)
            if answer is None:
                return None
            self._answers.move_to_end(key)
        if answer.rests_on.is_unchanged():
            return answer.names
        with self._lock:
            self._answers.pop(key, None)
        return None

    def _submit(
        self,
        key: tuple[object, ...],
        question: Question,
        when_answered: Callable[[], None] | None,
        *,
        droppable: bool,
    ) -> _Job:
        with self._lock:
            if self._process != os.getpid():
                # The thread does not survive a fork, and what it left undone never gets done.
                self._jobs = type(self._jobs)()
                self._pending.clear()
                self._thread = None
                self._busy_since = None
                self._process = os.getpid()
            if self._thread is None:
                self._start()
            if droppable:
                # Variants of a text that somebody waits for supersede nothing.
                self._newest[question.path] = hash(question.text)
            job = self._pending.get(key)
            if job is None:
                job = self._pending[key] = _Job(key, question, droppable, self._generation)
                self._jobs.put(job)
            job.droppable = job.droppable and droppable
            if when_answered is not None:
                job.when_answered.append(when_answered)
            return job

    def _start(self) -> None:
        previous = threading.stack_size(_STACK_BYTES)
        try:
            self._thread = threading.Thread(
                target=_serve, args=(self, self._jobs), name="jaxref-jedi", daemon=True
            )
            self._thread.start()
        finally:
            threading.stack_size(previous)

    def _finish(self, job: _Job, names: tuple[JediName, ...], rests_on: Reads | None) -> None:
        with self._lock:
            self._pending.pop(job.key, None)
            if rests_on is not None and job.generation == self._generation:
                while len(self._answers) >= _KEPT_ANSWERS:
                    self._answers.popitem(last=False)
                self._answers[job.key] = _Answer(names, rests_on)
        job.names = names
        job.done.set()
        if rests_on is None:
            return
        for when_answered in job.when_answered:
            try:
                when_answered()
            except Exception:
                _log().exception("the callback for an answer of jedi failed")

    def _is_superseded(self, job: _Job) -> bool:
        question = job.question
        with self._lock:
            return (
                job.droppable
                and question is not None
                and self._newest.get(question.path) != hash(question.text)
            )


_shared: JediBackend | None = None
_shared_lock = threading.Lock()


def shared_backend() -> JediBackend:
    """The process's one backend; jedi's caches are global, a second one would share them."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = JediBackend()
        return _shared


def _forget_shared() -> None:
    """In a forked process: the lock may be held by a thread that is not there."""
    global _shared, _shared_lock
    _shared, _shared_lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_shared)


@dataclass(slots=True, eq=False)
class _Job:
    key: tuple[object, ...]
    question: Question | None
    droppable: bool
    generation: int = 0
    when_answered: list[Callable[[], None]] = field(default_factory=list)
    names: tuple[JediName, ...] = ()
    done: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class _Answer:
    names: tuple[JediName, ...]
    rests_on: Reads


def _key(question: Question) -> tuple[object, ...]:
    return (
        question.path,
        hash(question.text),
        len(question.text),
        question.line,
        question.column,
        question.declared,
        question.search.identity,
    )


def _log() -> logging.Logger:
    # Most runs ask nothing, and logging takes as long to import as three files to check.
    import logging

    return logging.getLogger(__name__)


def _serve(backend: JediBackend, jobs: queue.Queue[_Job]) -> None:
    """The thread's body: take the next question, answer it, never die of it."""
    oracle: Oracle | None = None
    while True:
        job = jobs.get()
        if job.question is None:
            if oracle is not None:
                oracle.forget()
            continue
        if backend._is_superseded(job):
            backend._finish(job, (), None)
            continue
        backend._busy_since = time.monotonic()
        names: tuple[JediName, ...] = ()
        reads: Reads | None = Reads()
        try:
            if oracle is None:
                from jaxref.resolve.jedi_backend import Oracle

                oracle = Oracle(backend._cache_folder)
            names, reads = oracle.infer(job.question)
        except (Exception, RecursionError, MemoryError) as error:
            # jedi is known to raise nearly anything on code that is being typed.
            backend.failures += 1
            backend.when_failed(failure(f"inferring a type for {job.question.path}", error))
        backend._busy_since = None
        backend._finish(job, names, reads)
