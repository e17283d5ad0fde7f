"""What the interpreter asks about names that its own file does not explain."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cached_property

from jaxref.resolve.modules import ModuleFile
from jaxref.resolve.surroundings import Surroundings
from jaxref.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast

    from jaxref.resolve.questions import JediBackend, JediName, Question, SearchPath
    from jaxref.resolve.reach import Reach

MODELLED = frozenset({"jax", "jaxlib", "numpy", "scipy"})
"""Packages whose modules are never read: what they do is described, or of no consequence."""

TOTAL_SECONDS = 30.0
"""How long one analysis waits for answers about types in all."""

_KEPT_CHARACTERS = 8 * 1024 * 1024


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
        self.overlay = dict(overlay or {})
        self._surroundings = Surroundings(self.path, settings, self.overlay)
        self.environment = self._surroundings.environment
        self.problem = self._surroundings.problem
        """One line on why the setting `python` could not be followed, or None."""
        self.jax_version = self._surroundings.jax_version
        self.finder = self._surroundings.finder
        self.pending = False
        """True once a question was answered with "not known yet"."""
        self.settled = True
        """False once an awaited answer did not come in time: another pass may know more."""
        self.asked = 0
        """How many questions about types were asked: what they are answered rests on the whole text."""
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

    @cached_property
    def reach(self) -> Reach:
        """Which modules can bring refs."""
        from jaxref.resolve.reach import Reach

        return Reach(self)

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
        if "jax" not in module.text:
            return False
        from jaxref.resolve.packages import handles_refs

        return handles_refs(module.path)

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
        from jaxref.resolve.questions import ANSWER_SECONDS, Question, shared_backend

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
            from jaxref.resolve.questions import SearchPath

            folders = (*self._surroundings.roots, *self.finder.inferred_roots(path))
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
        """What answers rest on beside the texts of files, as it is now."""
        return self._surroundings.identity

    def _is_installed(self, path: str) -> bool:
        folders = self.environment.site_packages if self.environment else ()
        return any(
            path.startswith(folder + os.sep) and os.path.basename(folder).endswith("-packages")
            for folder in folders
        )
