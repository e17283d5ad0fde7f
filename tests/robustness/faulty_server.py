"""The server in which chosen things fail: `# fault: NAME` in a text makes NAME raise for that text.

NAME is `rule NAME`, or a function as `module:qualified.name`. What is raised quotes the text.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import threading
from collections.abc import Callable
from typing import Any

import jaxref
from jaxref.engine import Analysis, Snapshot, analyse
from jaxref.lsp.server import serve
from jaxref.rules.registry import all_rules
from jaxref.settings import Settings

FUNCTIONS = (
    "jaxref.source.parsing:parse",
    "jaxref.source.lines:shape_of",
    "jaxref.interp.run:run",
    "jaxref.interp.statements:execute",
    "jaxref.interp.calls:call_function",
    "jaxref.interp.imports:interest_of",
    "jaxref.domain.trees:flatten",
    "jaxref.resolve.resolver:Resolver.__init__",
    "jaxref.resolve.resolver:Resolver.module",
    "jaxref.resolve.jedi_backend:Oracle.infer",
    "jaxref.resolve.jedi_backend:Oracle._script",
    "jaxref.fixes.builders:fixes_for",
    "jaxref.diagnostics.suppressing:without_suppressed",
    "jaxref.describe:Descriptions.at",
    "jaxref.describe:Descriptions.all",
    "jaxref.lsp.findings:convert",
    "jaxref.lsp.edits:by_part",
    "jaxref.fixes.silencing:silencing_edit",
)


class Planted(Exception):
    """What is raised. It is no error that anything expects."""


_now = threading.local()
_latest = ""


def fault() -> tuple[str, str]:
    """What is to fail on this thread, and the text that asks for it."""
    text = getattr(_now, "text", _latest)
    found = re.search(r"# fault: (.*)", text)
    return (found[1] if found else ""), text


def _failing(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def failing(*arguments: Any, **named: Any) -> Any:
        wanted, text = fault()
        if wanted == name:
            raise Planted(f"while reading {text!r}")
        return function(*arguments, **named)

    return failing


def plant() -> None:
    """Put a fault that is not yet due into every rule and function."""
    for module in pkgutil.walk_packages(jaxref.__path__, "jaxref."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for rule in all_rules():
        if rule.check is not None:
            object.__setattr__(rule, "check", _failing(f"rule {rule.name}", rule.check))
    for name in FUNCTIONS:
        module_name, _, path = name.partition(":")
        holder: Any = importlib.import_module(module_name)
        *outer, last = path.split(".")
        for step in outer:
            holder = getattr(holder, step)
        function = getattr(holder, last)
        failing = _failing(name, function)
        setattr(holder, last, failing)
        for module in list(sys.modules.values()):
            if getattr(module, "__name__", "").startswith("jaxref."):
                for alias, value in list(vars(module).items()):
                    if value is function:
                        setattr(module, alias, failing)


def faulty(snapshot: Snapshot, settings: Settings, cancel: Callable[[], bool]) -> Analysis:
    """The analysis of a text in which something may fail, now and when more is asked of it."""
    global _latest
    _latest = snapshot.text
    return analyse(snapshot, settings, cancel)


if __name__ == "__main__":
    plant()
    sys.exit(serve(analyse=faulty, log_level="debug" if "--debug" in sys.argv else "warning"))
