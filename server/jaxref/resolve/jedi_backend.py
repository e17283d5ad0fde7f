"""The one module that imports jedi, at the first question, on the one thread that owns it.

As shipped it would also run things: it starts the interpreter of an environment, or
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
import re
import sys
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from jaxref.diagnostics.failures import in_one_line
from jaxref.resolve.files import read_bytes
from jaxref.resolve.modules import ModuleFinder, submodule_names
from jaxref.resolve.questions import JediName, Question, Reads, SearchPath
from jaxref.source.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_log = logging.getLogger(__name__)

STUBS = str(Path(__file__).parent / "stubs")
"""Our own declarations; first on jedi's search path."""

_KEPT_SCRIPTS = 6
_RECURSION_LIMIT = 3000
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_STUBBED = frozenset({"jax", "jaxlib", "numpy"})


class Oracle:
    """jedi itself. Only ever touched by the thread that made it."""

    def __init__(self, cache_folder: str | None) -> None:
        limit = max(sys.getrecursionlimit(), _RECURSION_LIMIT)
        import jedi
        from jedi.inference import docstrings

        # jedi raises the limit around each call and sets it back afterwards, which would also undo
        # what another thread has set meanwhile; where it is high enough already jedi leaves it be.
        sys.setrecursionlimit(max(limit, sys.getrecursionlimit()))
        cache_folder = cache_folder or _own_cache_folder()
        if cache_folder is not None:
            jedi.settings.cache_directory = cache_folder
        jedi.settings.auto_import_modules = []
        jedi.settings.dynamic_params_for_other_modules = False
        jedi.settings.allow_unsafe_interpreter_executions = False
        # Else numpydoc is imported, from wherever `sys.path` leads.
        docstrings._numpy_doc_string_cache = ImportError("numpydoc is not used")
        self._jedi = jedi
        self._file = _file_class()
        self._pickles = cache_folder is not None
        self._trusted = (STUBS + os.sep, os.path.dirname(jedi.__file__) + os.sep)
        self._scripts: OrderedDict[tuple[object, ...], _Script] = OrderedDict()
        self._contents: dict[str, int] = {}

    def infer(self, question: Question) -> tuple[tuple[JediName, ...], Reads]:
        """The names at the question's place, and what they rest on."""
        try:
            return self._infer(question)
        except Exception as error:
            if not self._pickles or isinstance(error, FileNotFoundError):
                raise
            # It may come from a tree on disk: one that was cut short when it was written (a killed
            # process, a full disk), is damaged, or cannot be written. Reading one raises anything.
            self._pickles = False
            self._forget_trees()
            try:
                answer = self._infer(question)
            except Exception:
                self._pickles = True
                raise
            _log.info("parse trees are not kept on disk any more: %s", in_one_line(error))
            self._clear_cache()
            return answer

    def _infer(self, question: Question) -> tuple[tuple[JediName, ...], Reads]:
        script = self._script(question)
        lines = script.text
        if not 0 < question.line <= lines.line_count():
            return (), script.reads
        span = lines.line_span(question.line - 1)
        if not 0 <= question.column <= span.end - span.start:
            return (), script.reads
        # Between two leaves jedi takes the one that ends there.
        place = question.line, question.column
        found = [] if question.declared else script.jedi.infer(*place, prefer_stubs=True)
        if not found:
            declarations = script.jedi.goto(*place, follow_imports=True, prefer_stubs=True)
            found = [
                name
                for declaration in declarations
                for name in declaration.infer(prefer_stubs=True)
            ]
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
        import parso.cache

        clear_cache: Callable[[Path], object] = parso.cache.clear_cache
        with contextlib.suppress(OSError):
            clear_cache(Path(self._jedi.settings.cache_directory))

    def _forget_trees(self) -> None:
        """Let go of all trees in memory: what was read from the disk may be no tree at all."""
        import parso.cache

        self._scripts.clear()
        parso.cache.parser_cache.clear()

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
        text = _LONE_SURROGATE.sub("\ufffd", question.text)
        script = _Script(
            Text(text),
            search,
            ModuleFinder((), search.site_packages, search.editable, search.overlay),
        )
        project = self._jedi.Project(
            os.path.dirname(question.path),
            sys_path=[STUBS, *search.folders, *search.site_packages],
            smart_sys_path=False,
            load_unsafe_extensions=False,
        )
        script.jedi = self._jedi.Script(
            text,
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
                if isinstance(file_io, self._file):
                    code = file_io.read()
                else:
                    code = self._read(script, name, trusted)
                    file_io = self._file(name, code)
            if not trusted:
                self._note(script, name, code)
            # A tree pickled for a module of the project could be that of an unsaved text.
            kept = trusted or (name.startswith(script.installed) and isinstance(code, bytes))
            options["cache"] = bool(options.get("cache")) and kept and self._pickles
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
        return self._file(place.path, content), bool(place.folders)

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

    def __init__(self, text: Text, search: SearchPath, finder: ModuleFinder) -> None:
        self.text = text
        self.search = search
        self.finder = finder
        self.installed = tuple(
            folder + os.sep for folder in search.site_packages if folder.endswith("-packages")
        )
        self.reads = Reads()
        self.paths: set[str] = set()
        self.jedi: Any = None


def _file_class() -> Any:
    """jedi's class for a file whose content is given, with a time that cannot be set back."""
    from jedi.file_io import KnownContentFileIO

    class GivenFile(KnownContentFileIO):  # type: ignore[misc]
        def get_last_modified(self) -> float | None:
            # Installers may keep the modification times of the archive, so that after an upgrade a
            # file looks older than the tree that was kept of its predecessor.
            try:
                status = os.stat(self.path)
            except OSError:
                return None
            return max(status.st_mtime, status.st_ctime)

    return GivenFile


def _namespace(name: str, folders: list[str]) -> Any:
    from jedi.inference.compiled.subprocess.functions import ImplicitNSInfo

    return ImplicitNSInfo(name, folders)


def _locked_environment(oracle: Oracle, script: _Script) -> Any:
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

        def iter_module_names(self, paths: list[str]) -> list[str]:
            return [name for path in paths for name in submodule_names(path)]

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


def _own_cache_folder() -> str | None:
    """A folder for parse trees that only this user can write, made if need be; None for none.

    The trees are pickles: loading them from a folder that others can write to would run their code.
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if not base or not os.path.isabs(base):
        return None
    folder = os.path.join(base, "jaxref", "trees")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        status = os.stat(folder)
    except OSError:
        return None
    private = not hasattr(os, "getuid") or (
        status.st_uid == os.getuid() and not status.st_mode & 0o022
    )
    return folder if private and os.access(folder, os.W_OK) else None
