"""What the interpreter asks about names that its own file does not explain."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from jaxref.resolve.environment import (
    Environment,
    EnvironmentNotFound,
    find_environment,
    jax_version,
)
from jaxref.resolve.files import SourceCache
from jaxref.resolve.modules import ModuleFile, ModuleFinder
from jaxref.resolve.packages import handles_refs
from jaxref.resolve.questions import (
    ANSWER_SECONDS,
    JediBackend,
    JediName,
    Question,
    SearchPath,
    shared_backend,
)
from jaxref.resolve.reach import Reach
from jaxref.settings import Settings, SettingsProblem, keys_in, place_in_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast

MODELLED = frozenset({"jax", "jaxlib", "numpy", "scipy"})
"""Packages whose modules are never read: what they do is described, or of no consequence."""

TOTAL_SECONDS = 30.0
"""How long one analysis waits for answers about types in all."""

_ENVIRONMENT_SECONDS = 5.0
_KEPT_CHARACTERS = 8 * 1024 * 1024

_sources = SourceCache()
_environments: dict[tuple[str | None, ...], tuple[float, Environment | None, str | None]] = {}


class _Trees:
    """Trees of modules, the ones used last, as many as belong to `_KEPT_CHARACTERS` of text.

    A tree takes some 25 times the memory of its text.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, ast.Module]] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def tree(self, path: str, text: str) -> ast.Module:
        with self._lock:
            kept = self._kept.get(path)
            if kept is not None and kept[0] == text:
                self._kept.move_to_end(path)
                return kept[1]
        from jaxref.source.parsing import parse

        tree = parse(text).tree
        with self._lock:
            replaced = self._kept.pop(path, None)
            self._characters -= len(replaced[0]) if replaced else 0
            self._kept[path] = (text, tree)
            self._characters += len(text)
            while self._characters > _KEPT_CHARACTERS and len(self._kept) > 1:
                _, (old, _) = self._kept.popitem(last=False)
                self._characters -= len(old)
        return tree


_trees = _Trees()


class Resolver:
    """Names of other modules, for the analysis of the file at `path`.

    With `wait` a question about a type is awaited, for a bounded time; without, an answer that is
    not there yet is None and `pending` becomes true. `when_late` is then called once, on any thread,
    when the pass is over (`finish`) and all these answers are there, so that a further pass knows
    more; it is not called when the text has a newer version by then. `overlay` maps absolute paths
    to the texts of open editors; they win over the disk.
    """

    def __init__(
        self,
        settings: Settings,
        wait: bool = True,
        *,
        path: str = "",
        overlay: Mapping[str, str] | None = None,
        when_late: Callable[[], None] | None = None,
        backend: JediBackend | None = None,
    ) -> None:
        self.path = os.path.abspath(path) if path else os.path.join(os.getcwd(), "untitled.py")
        self.environment, self.problem = environment_for(self.path, settings)
        """`problem` is one line on why the setting `python` could not be followed, or None."""
        self.jax_version = settings.jax_version or jax_version(self.environment)
        self.pending = False
        """True once a question was answered with "not known yet"."""
        self.settled = True
        """False once an awaited answer did not come in time: another pass may know more."""
        self.asked = 0
        """How many questions about types were asked: what they are answered rests on the whole text."""
        self.overlay = dict(overlay or {})
        self._wait = wait
        self._when_late = when_late
        self._backend = backend
        self._waited = 0.0
        self._lock = threading.Lock()
        self._finished = False
        self._files_behind_types: set[str] = set()
        self._awaited: set[tuple[object, ...]] = set()
        self._outstanding = 1
        """Late answers to come; the pass itself counts as one until it is finished."""
        self._search_paths: dict[str, SearchPath] = {}
        self._modules: dict[tuple[str, str, int], ModuleFile | None] = {}
        self.reach = Reach(self)
        """Which modules can bring refs."""
        environment = self.environment
        base = settings.folder or os.path.dirname(self.path)
        self._roots = tuple(os.path.normpath(os.path.join(base, root)) for root in settings.roots)
        self.finder = ModuleFinder(
            self._roots,
            environment.site_packages if environment else (),
            environment.editable if environment else {},
            self.overlay,
            _sources,
        )

    def module(self, name: str, from_path: str, level: int = 0) -> ModuleFile | None:
        """The module that `name` with `level` leading dots means in the file `from_path`.

        None for the standard library, for JAX itself and for what has no source.
        """
        if level == 0 and name.partition(".")[0] in MODELLED:
            return None
        key = (name, os.path.dirname(from_path), level)
        if key not in self._modules:
            self._modules[key] = self.finder.find(name, from_path, level)
        return self._modules[key]

    def parsed(self, module: ModuleFile) -> ast.Module | None:
        """The tree of a module worth evaluating, else None.

        Not worth it is an installed module that never says `jax`, and one of a package that does
        nothing with refs or VJPs. Trees are shared: nobody may change them.
        """
        return _trees.tree(module.path, module.text) if self.is_worth_reading(module) else None

    def is_worth_reading(self, module: ModuleFile) -> bool:
        """Whether `parsed` gives a tree for a module."""
        if not self._is_installed(module.path):
            return True
        return "jax" in module.text and handles_refs(module.path)

    def return_type(self, path: str, text: str, line: int, column: int) -> str | None:
        """The full name of the class of the value there, such as `jax.Ref`; None unless it is one.

        The place is the end of a name, an attribute, a call or a subscript in `text`, the text of
        the module at `path`: `line` from 1, `column` from 0 in code points, as `ast` ends a node.
        """
        found = self.names(path, text, line, column)
        classes = {name.full_name for name in found}
        known = all(name.type == "instance" for name in found)
        return classes.pop() if len(classes) == 1 and known else None

    def annotation_type(self, path: str, text: str, line: int, column: int) -> str | None:
        """The full name of the class that an annotation means; None unless it is one class.

        The place is the end of the annotated parameter or target (which understands every form of
        annotation), or of the annotation where that is the plain name of a class. `Ref | None` and
        `Optional[Ref]` mean two classes. A parameter without an annotation is what its default and
        the calls in this module say.
        """
        found = self.names(path, text, line, column, declared=True)
        classes = {name.full_name for name in found}
        known = all(name.type in {"instance", "class"} for name in found)
        return classes.pop() if len(classes) == 1 and known else None

    def names(
        self, path: str, text: str, line: int, column: int, *, declared: bool = False
    ) -> tuple[JediName, ...]:
        """Everything the expression there may be, as far as is known; () for nothing known."""
        self.asked += 1
        question = Question(path, text, line, column, self._search_path(path), declared)
        backend = self._backend or shared_backend()
        if not self._wait:
            return self._ask_later(backend, question)
        seconds = min(ANSWER_SECONDS, TOTAL_SECONDS - self._waited)
        if seconds <= 0:
            self.settled = False
            return ()
        started = time.monotonic()
        try:
            names = backend.ask(question, seconds)
        finally:
            self._waited += time.monotonic() - started
        self.settled = self.settled and backend.is_answered(question)
        self._note_files(backend, question)
        return names

    def finish(self) -> None:
        """Say that the pass is over and nothing more will be asked."""
        if not self._finished:
            self._finished = True
            self._count_down()

    def _ask_later(self, backend: JediBackend, question: Question) -> tuple[JediName, ...]:
        key = (
            question.path,
            hash(question.text),
            question.line,
            question.column,
            question.declared,
        )
        with self._lock:
            if key in self._awaited:
                return ()
            self._outstanding += 1
        answer = backend.ask_later(question, self._count_down)
        if answer is None:
            self.pending = True
            self._awaited.add(key)
            return ()
        with self._lock:
            self._outstanding -= 1
        self._note_files(backend, question)
        return answer

    def _note_files(self, backend: JediBackend, question: Question) -> None:
        files = backend.files_behind(question)
        self._files_behind_types.update(path for path in files if not self._is_installed(path))

    def _count_down(self) -> None:
        with self._lock:
            self._outstanding -= 1
            complete = self._outstanding == 0
        if complete and self.pending and self._when_late is not None:
            self._when_late()

    def _search_path(self, path: str) -> SearchPath:
        path = os.path.abspath(path)
        found = self._search_paths.get(path)
        if found is None:
            folders = (*self._roots, *self.finder.inferred_roots(path))
            environment = self.environment
            found = self._search_paths[path] = SearchPath(
                tuple(dict.fromkeys(folders)),
                environment.site_packages if environment else (),
                environment.editable if environment else {},
                {opened: text for opened, text in self.overlay.items() if opened != path},
            )
        return found

    @property
    def dependencies(self) -> frozenset[str]:
        """The paths whose texts the answers so far rest on."""
        return frozenset(self.finder.dependencies | self._files_behind_types)

    @property
    def missing(self) -> frozenset[str]:
        """Paths in the project whose creation would change the answers so far."""
        return frozenset(self.finder.missing)

    @property
    def surroundings(self) -> tuple[object, ...]:
        """What answers rest on beside the texts of files, as it is now: the environment with the
        times at which packages came or went, and where the project's modules are looked up."""
        environment = self.environment
        packages: tuple[object, ...] = ()
        if environment is not None:
            stamps = [(folder, _changed(folder)) for folder in environment.site_packages]
            packages = (environment.prefix, *stamps, *sorted(environment.editable.items()))
        inferred = self.finder.inferred_roots(self.path)
        return (self.jax_version, self._roots, inferred, packages)

    def _is_installed(self, path: str) -> bool:
        folders = self.environment.site_packages if self.environment else ()
        return any(
            path.startswith(folder + os.sep) and os.path.basename(folder).endswith("-packages")
            for folder in folders
        )


def _changed(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0


def forget_environments() -> None:
    """Look environments up anew: one has come, gone, or changed its packages."""
    _environments.clear()


def environment_for(path: str, settings: Settings) -> tuple[Environment | None, str | None]:
    """The environment of the file `path`, and in one line why `python` could not be followed.

    What was found is kept for a few seconds.
    """
    folder = settings.folder if settings.python and settings.folder else os.path.dirname(path)
    variables = (os.environ.get("VIRTUAL_ENV"), os.environ.get("CONDA_PREFIX"))
    key = (folder, settings.python, settings.environment, *variables)
    now = time.monotonic()
    kept = _environments.get(key)
    if kept is not None and now - kept[0] < _ENVIRONMENT_SECONDS:
        return kept[1], kept[2]
    environment, problem = None, None
    try:
        environment = find_environment(folder, settings.python, chosen=settings.environment)
    except EnvironmentNotFound as error:
        problem = str(error)
    if len(_environments) > 64:
        _environments.clear()
    _environments[key] = (now, environment, problem)
    return environment, problem


def environment_problem(
    path: str, settings: Settings, overrides: Mapping[str, object]
) -> SettingsProblem | None:
    """What is wrong where the setting `python` leads to no environment, at its place in the settings
    file unless `overrides`, which won over that file, say it."""
    problem = None if settings.python is None else environment_for(path, settings)[1]
    if problem is None:
        return None
    source = settings.source
    if source is None or "python" in overrides or "python" not in keys_in(source):
        return SettingsProblem(None, 1, 1, problem)
    return SettingsProblem(source, *place_in_file(source, "python"), problem)
