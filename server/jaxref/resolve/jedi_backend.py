"""The one module that imports jedi, at the first question, on the one thread that owns it.

jedi is not thread-safe and a call into it cannot be interrupted, so it lives on a daemon thread with
its own queue. As shipped it would also run things: it starts the interpreter of an environment, or
imports compiled modules into this process, and it exchanges `sys.path` while it looks for a module,
under the feet of every other thread. Here it gets an environment that reads files instead:

- a module is located by `ModuleFinder`, never by Python's import machinery;
- of compiled modules only `builtins`, which is loaded already, is looked into;
- every source is read by `read_bytes`, so that a fifo or a huge file cannot hold the thread;
- nothing but sources of packages and stubs goes through the pickled trees in the cache folder.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import queue
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jaxref.resolve.files import Stamp, read_bytes
from jaxref.resolve.modules import ModuleFinder

_log = logging.getLogger(__name__)

STUBS = str(Path(__file__).parent / "stubs")
"""Our own declarations; first on jedi's search path."""

ANSWER_SECONDS = 10.0
"""How long a waiting caller bears one question before it goes on without the answer."""

_KEPT_ANSWERS = 4096
_KEPT_SCRIPTS = 6
_STACK_BYTES = 128 * 1024 * 1024
_RECURSION_LIMIT = 3000
_STUBBED = frozenset({"jax", "jaxlib"})


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


@dataclass(frozen=True, slots=True)
class Question:
    """What is the expression whose last character stands before `line`, `column`?

    `line` counts from 1 and `column` from 0 in code points: the end that `ast` gives, in characters.
    """

    path: str
    text: str
    line: int
    column: int
    search: SearchPath


class JediBackend:
    """Answers questions about types, one after the other on a thread of its own.

    An answer is kept until a file that it rests on changes. A failure inside jedi costs that one
    answer: it is logged and counts as "nothing known".
    """

    def __init__(self, cache_folder: str | None = None) -> None:
        self._cache_folder = cache_folder
        self._jobs: queue.Queue[_Job] = queue.Queue()
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[object, ...], _Answer] = OrderedDict()
        self._pending: dict[tuple[object, ...], _Job] = {}
        self._newest: dict[str, int] = {}
        self._thread: threading.Thread | None = None
        self._process = 0
        self._busy_since: float | None = None
        self.failures = 0
        """How many answers were lost to an exception inside jedi."""

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
            _log.info("no answer from jedi within %s s for %s", seconds, question.path)
            return ()
        return job.names

    def ask_later(
        self, question: Question, when_answered: Callable[[], None] | None = None
    ) -> tuple[JediName, ...] | None:
        """The answer if it is there; else None, and it is sought.

        `when_answered` is called on jedi's thread once nothing more is outstanding for this text, so
        that one further pass suffices. A question about a text that has a newer version by then is
        dropped, and its callback with it.
        """
        key = _key(question)
        kept = self._kept(key)
        if kept is None:
            self._submit(key, question, when_answered, droppable=True)
        return kept

    def forget(self) -> None:
        """Drop all answers: files came into being that were looked for in vain."""
        with self._lock:
            self._answers.clear()
        if self._thread is not None:
            self._jobs.put(_Job((), None, None, droppable=False))

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
                self._jobs = queue.Queue()
                self._pending.clear()
                self._thread = None
                self._busy_since = None
                self._process = os.getpid()
            if self._thread is None:
                self._start()
            self._newest[question.path] = hash(question.text)
            job = self._pending.get(key)
            if job is None:
                job = _Job(key, question, when_answered, droppable)
                self._pending[key] = job
                self._jobs.put(job)
            else:
                job.droppable = job.droppable and droppable
                job.when_answered = when_answered or job.when_answered
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

    def _finish(self, job: _Job, names: tuple[JediName, ...], rests_on: _Reads | None) -> None:
        with self._lock:
            self._pending.pop(job.key, None)
            if rests_on is not None:
                while len(self._answers) >= _KEPT_ANSWERS:
                    self._answers.popitem(last=False)
                self._answers[job.key] = _Answer(names, rests_on)
            question = job.question
            outstanding = question is not None and any(
                other.question is not None
                and other.question.path == question.path
                and other.question.text == question.text
                for other in self._pending.values()
            )
        job.names = names
        job.done.set()
        if job.when_answered is not None and rests_on is not None and not outstanding:
            try:
                job.when_answered()
            except Exception:
                _log.exception("the callback for an answer of jedi failed")

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


@dataclass(slots=True, eq=False)
class _Job:
    key: tuple[object, ...]
    question: Question | None
    when_answered: Callable[[], None] | None
    droppable: bool
    names: tuple[JediName, ...] = ()
    done: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class _Answer:
    names: tuple[JediName, ...]
    rests_on: _Reads


class _Reads:
    """The files of the project and its packages that a script read, as they were then."""

    def __init__(self) -> None:
        self.stamps: dict[str, Stamp] = {}

    def is_unchanged(self) -> bool:
        for path, stamp in tuple(self.stamps.items()):
            try:
                status = os.stat(path)
            except OSError:
                return False
            if stamp != (status.st_mtime_ns, status.st_size, status.st_ino):
                return False
        return True


def _key(question: Question) -> tuple[object, ...]:
    return (
        question.path,
        hash(question.text),
        len(question.text),
        question.line,
        question.column,
        question.search.identity,
    )


def _serve(backend: JediBackend, jobs: queue.Queue[_Job]) -> None:
    """The thread's body: take the next question, answer it, never die of it."""
    oracle: _Oracle | None = None
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
        reads: _Reads | None = _Reads()
        try:
            if oracle is None:
                oracle = _Oracle(backend._cache_folder)
            names, reads = oracle.infer(job.question)
        except (Exception, RecursionError, MemoryError) as error:
            # jedi is known to raise nearly anything on code that is being typed.
            backend.failures += 1
            _log.warning(
                "jedi failed with %s at line %s of %s",
                type(error).__name__,
                job.question.line,
                job.question.path,
            )
            _log.debug("jedi's traceback", exc_info=True)
        backend._busy_since = None
        backend._finish(job, names, reads)


class _Oracle:
    """jedi itself. Only ever touched by the thread that made it."""

    def __init__(self, cache_folder: str | None) -> None:
        limit = max(sys.getrecursionlimit(), _RECURSION_LIMIT)
        import jedi
        from jedi.inference import docstrings

        # jedi raises the limit around each call and sets it back afterwards, which would also undo
        # what another thread has set meanwhile; where it is high enough already jedi leaves it be.
        sys.setrecursionlimit(max(limit, sys.getrecursionlimit()))
        jedi.settings.cache_directory = cache_folder or _default_cache_folder()
        jedi.settings.auto_import_modules = []
        jedi.settings.dynamic_params_for_other_modules = False
        jedi.settings.allow_unsafe_interpreter_executions = False
        # Else numpydoc is imported, from wherever `sys.path` leads.
        docstrings._numpy_doc_string_cache = ImportError("numpydoc is not used")
        self._jedi = jedi
        self._pickles = True
        self._trusted = (STUBS + os.sep, os.path.dirname(jedi.__file__) + os.sep)
        self._scripts: OrderedDict[tuple[object, ...], _Script] = OrderedDict()
        self._contents: dict[str, int] = {}

    def infer(self, question: Question) -> tuple[tuple[JediName, ...], _Reads]:
        """The names at the question's place, and what they rest on."""
        try:
            return self._infer(question)
        except (EOFError, pickle.UnpicklingError, OSError) as error:
            if not self._pickles:
                raise
            # A tree that was cut short when it was written (a killed process, a full disk), or one
            # that cannot be written: go on without the cache folder.
            _log.info("parse trees are not kept on disk any more: %s", error)
            self._pickles = False
            self._scripts.clear()
            self._clear_cache()
            return self._infer(question)

    def _infer(self, question: Question) -> tuple[tuple[JediName, ...], _Reads]:
        script = self._script(question)
        found = script.jedi.infer(question.line, max(0, question.column - 1), prefer_stubs=True)
        names = tuple(
            JediName(
                name.full_name,
                name.type,
                str(name.module_path) if name.module_path else None,
                name.description,
            )
            for name in found
        )
        return names, script.reads

    def _clear_cache(self) -> None:
        from parso.cache import clear_cache

        with contextlib.suppress(OSError):
            clear_cache(Path(self._jedi.settings.cache_directory))

    def forget(self) -> None:
        """Let go of every script."""
        self._scripts.clear()

    def _script(self, question: Question) -> _Script:
        key = (question.path, question.text, question.search.identity)
        script = self._scripts.get(key)
        if script is not None and script.reads.is_unchanged():
            self._scripts.move_to_end(key)
            return script
        self._scripts.pop(key, None)
        search = question.search
        script = _Script(
            search, ModuleFinder((), search.site_packages, search.editable, search.overlay)
        )
        project = self._jedi.Project(
            os.path.dirname(question.path),
            sys_path=[STUBS, *search.folders, *search.site_packages],
            smart_sys_path=False,
            load_unsafe_extensions=False,
        )
        script.jedi = self._jedi.Script(
            question.text,
            path=question.path,
            environment=_locked_environment(self, script),
            project=project,
        )
        while len(self._scripts) >= _KEPT_SCRIPTS:
            self._scripts.popitem(last=False)
        self._scripts[key] = script
        return script

    def parsing(self, script: _Script, state: Any) -> Callable[..., Any]:
        """A stand-in for the method by which the inference state `state` reads and parses."""
        parse = state.parse_and_get_code

        def parse_and_get_code(
            code: bytes | str | None = None,
            path: Any = None,
            use_latest_grammar: bool = False,
            file_io: Any = None,
            **options: Any,
        ) -> Any:
            name = str(file_io.path if path is None else path)
            trusted = name.startswith(self._trusted)
            if code is None:
                if isinstance(file_io, _known_content()):
                    code = file_io.read()
                else:
                    code = self._read(script, name, trusted)
            if not trusted:
                self._note(script, name, code)
                # A tree pickled for a module of the project could be that of an unsaved text.
                installed = name.startswith(script.installed) and isinstance(code, bytes)
                options["cache"] = bool(options.get("cache")) and installed
            if not self._pickles:
                options["cache"] = False
            return parse(code, path, use_latest_grammar, file_io, **options)

        return parse_and_get_code

    def locate(self, script: _Script, name: str, folders: list[str] | None) -> Any:
        """What jedi's `get_module_info` gives: a file or a namespace, and whether it is a package."""
        if folders is not None:
            place = script.finder.locate(folders, name)
        elif name == "builtins":
            return None, False
        elif name in _STUBBED or name in sys.stdlib_module_names:
            return None, None
        else:
            place = script.finder.locate(script.search.folders, name)
            if place is None or place.is_namespace:
                place = script.finder.installed(name) or place
        if place is None:
            return None, None
        if place.is_namespace:
            return _namespace(name, list(place.folders)), True
        content = self._read(script, place.path, False, missing_ok=True)
        if content is None:
            return None, None
        return _known_content()(place.path, content), bool(place.folders)

    def _read(
        self, script: _Script, path: str, trusted: bool, missing_ok: bool = False
    ) -> bytes | str | None:
        overlaid = script.search.overlay.get(path)
        if overlaid is not None:
            return overlaid
        found = read_bytes(path)
        if found is None:
            if missing_ok:
                return None
            raise FileNotFoundError(path)
        if not trusted:
            script.reads.stamps[path] = found[1]
        return found[0]

    def _note(self, script: _Script, path: str, content: bytes | str | None) -> None:
        """Drop the scripts whose tree of `path` parso's diff parser is about to rewrite."""
        content_hash = hash(content)
        if self._contents.get(path, content_hash) != content_hash:
            for key, other in tuple(self._scripts.items()):
                if other is not script and path in other.paths:
                    del self._scripts[key]
        self._contents[path] = content_hash
        script.paths.add(path)


class _Script:
    """One `jedi.Script` with the files it has seen."""

    def __init__(self, search: SearchPath, finder: ModuleFinder) -> None:
        self.search = search
        self.finder = finder
        self.installed = tuple(folder + os.sep for folder in search.site_packages)
        self.reads = _Reads()
        self.paths: set[str] = set()
        self.jedi: Any = None


def _known_content() -> Any:
    from jedi.file_io import KnownContentFileIO

    return KnownContentFileIO


def _namespace(name: str, folders: list[str]) -> Any:
    from jedi.inference.compiled.subprocess.functions import ImplicitNSInfo

    return ImplicitNSInfo(name, folders)


def _locked_environment(oracle: _Oracle, script: _Script) -> Any:
    """An environment for one script that starts no process, imports nothing, and leaves `sys.path`."""
    from jedi.api.environment import InterpreterEnvironment
    from jedi.inference.compiled.access import create_access_path
    from jedi.inference.compiled.subprocess import InferenceStateSameProcess

    class LockedProcess(InferenceStateSameProcess):  # type: ignore[misc]
        def get_module_info(
            self,
            string: str,
            path: list[str] | None = None,
            full_name: str | None = None,
            sys_path: list[str] | None = None,
            is_global_search: bool = True,
        ) -> Any:
            return oracle.locate(script, string, path)

        def load_module(self, dotted_name: str, sys_path: list[str]) -> Any:
            if dotted_name != "builtins":
                return None
            return create_access_path(self._inference_state_weakref(), sys.modules[dotted_name])

        def get_sys_path(self) -> list[str]:
            return []

    class LockedEnvironment(InterpreterEnvironment):  # type: ignore[misc]
        def get_inference_state_subprocess(self, inference_state: Any) -> Any:
            inference_state.parse_and_get_code = oracle.parsing(script, inference_state)
            return LockedProcess(inference_state)

        def get_sys_path(self) -> list[str]:
            return []

    return LockedEnvironment()


def _default_cache_folder() -> str:
    """A folder for parse trees that only this user can write, made if need be.

    The trees are pickles: loading them from a folder that others can write to would run their code.
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if base and os.path.isabs(base):
        folder = os.path.join(base, "jaxref", "trees")
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            status = os.stat(folder)
            private = not hasattr(os, "getuid") or (
                status.st_uid == os.getuid() and not status.st_mode & 0o022
            )
            if private and os.access(folder, os.W_OK):
                return folder
        except OSError:
            pass
    return tempfile.mkdtemp(prefix="jaxref-trees-")
