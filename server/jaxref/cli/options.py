"""The grammar of the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from jaxref import __version__
from jaxref.cli.plain import COLOURS, FAIL_ON, OUTPUT_FORMATS
from jaxref.cli.width import terminal_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from _typeshed import SupportsWrite

    from jaxref.source.documents import DocumentKind

SHELLS = ("bash", "zsh", "fish")


def parsed_options(arguments: Sequence[str]) -> argparse.Namespace:
    """The options in `arguments`. Raises `SystemExit` with 2 on a mistake, 0 after `--help`."""
    if arguments[:1] == ["check"]:
        # The grammar of this command alone is made in an eighth of the time.
        parser: argparse.ArgumentParser = _Parser(prog="jaxref check", allow_abbrev=False)
        _check(parser)
        named = argparse.Namespace(command="check")
        options, unknown = parser.parse_known_args(arguments[1:], named)
    else:
        parser = grammar()
        options, unknown = parser.parse_known_args(arguments)
    if unknown:
        command = _command_named(parser, options.command) or parser
        command.error(f"unknown option {unknown[0]}{_nearest_option(command, unknown[0])}")
    if options.command is None:
        parser.print_help()
        raise SystemExit(0 if not arguments else 2)
    return options


def _command_named(
    parser: argparse.ArgumentParser, name: str | None
) -> argparse.ArgumentParser | None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found: argparse.ArgumentParser | None = action.choices.get(name or "")
            return found
    return None


def _nearest_option(parser: argparse.ArgumentParser, written: str) -> str:
    from difflib import get_close_matches

    names = [name for action in parser._actions for name in action.option_strings]
    near = get_close_matches(written.partition("=")[0], names, 1)
    return f"; did you mean {near[0]}?" if near else ""


class _Formatter(argparse.HelpFormatter):
    """As wide as the terminal. Python's asks `shutil`, and does so for each argument that is added."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_width(80) - 2)


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **options})

    def error(self, message: str) -> NoReturn:
        command = self.prog
        self.exit(2, f"{command}: error: {message}; see `{command} --help`\n")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """As `argparse` does it, but a failure to write is not passed over."""
        (file or sys.stdout).write(self.format_help())


def grammar() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = _Parser(
        prog="jaxref",
        description="A borrow checker for JAX refs: finds misused refs and VJPs without running anything.",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="version", version=f"jaxref {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _check(commands.add_parser("check", help="check files and folders", allow_abbrev=False))
    _server(commands.add_parser("server", help="serve editors", allow_abbrev=False))
    for name, about in (("rule", "explain rules"), ("explain", "the same as `rule`")):
        _rule(commands.add_parser(name, help=about, allow_abbrev=False))
    _reveal(
        commands.add_parser(
            "reveal", help="say what is known of the values in a file", allow_abbrev=False
        )
    )
    _config(commands.add_parser("config", help="show the settings that hold", allow_abbrev=False))
    _completion(
        commands.add_parser(
            "completion", help="print a script that completes commands", allow_abbrev=False
        )
    )
    version = commands.add_parser("version", help="show the version", allow_abbrev=False)
    version.add_argument("--output-format", choices=("text", "json"), default="text")
    return parser


def _check(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check Python files, notebooks and Markdown pages. Exit code 0: nothing found; 1: errors or"
        " warnings found (see --fail-on); 2: the command could not run as asked."
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files, folders, or - for standard input (default: the current folder)",
    )
    report = parser.add_argument_group("what is shown")
    report.add_argument(
        "--output-format",
        choices=OUTPUT_FORMATS,
        default=os.environ.get("JAXREF_OUTPUT_FORMAT", "full"),
        help="default: full, or JAXREF_OUTPUT_FORMAT",
    )
    report.add_argument("--output-file", metavar="FILE", help="write the findings there")
    report.add_argument("--statistics", action="store_true", help="count findings by rule instead")
    report.add_argument("--color", choices=COLOURS, default="auto", help="default: auto")
    report.add_argument("-q", "--quiet", action="store_true", help="no summary line")
    report.add_argument(
        "-v", "--verbose", action="store_true", help="say what was given up and how long it took"
    )
    fixing = parser.add_argument_group("fixing")
    fixing.add_argument("--fix", action="store_true", help="apply safe fixes")
    fixing.add_argument(
        "--unsafe-fixes", action="store_true", help="with --fix or --diff: unsafe ones, too"
    )
    fixing.add_argument(
        "--diff", action="store_true", help="show what --fix would change; 1 when something would"
    )
    fixing.add_argument(
        "--show-fixes", action="store_true", help="list what was fixed, or would be"
    )
    fixing.add_argument("--fix-only", action="store_true", help="apply fixes, report nothing else")
    fixing.add_argument(
        "--add-ignore",
        action="store_true",
        help="silence what is found (from --fail-on upwards) with comments in the files",
    )
    choice = parser.add_argument_group("what is checked")
    for name, about in (
        ("--select", "only these rules"),
        ("--extend-select", "these rules, too"),
        ("--ignore", "not these rules"),
    ):
        choice.add_argument(name, metavar="RULE[,RULE]", action="append", help=about)
    choice.add_argument(
        "--severity",
        metavar="RULE=LEVEL",
        action="append",
        help="error, warning, info, hint or off for a rule",
    )
    choice.add_argument(
        "--ignore-suppressions", action="store_true", help="report what comments silence, too"
    )
    choice.add_argument(
        "--exclude", metavar="PATTERN", action="append", help="instead of the set ones"
    )
    choice.add_argument("--extend-exclude", metavar="PATTERN", action="append")
    choice.add_argument(
        "--force-exclude", action="store_true", help="exclude paths that are given, too"
    )
    choice.add_argument(
        "--jax-version", metavar="VERSION", help="such as 0.12; default: the installed"
    )
    choice.add_argument(
        "--python", metavar="ENV", help="an interpreter or environment to look into"
    )
    choice.add_argument(
        "--extension",
        metavar="EXT:KIND",
        action="append",
        type=_extension,
        help="what files with this suffix hold: python, notebook or markdown",
    )
    _configuration(choice)
    choice.add_argument("--isolated", action="store_true", help="no settings file at all")
    choice.add_argument(
        "--stdin-filename", metavar="NAME", help="the name of what comes by standard input"
    )
    known = parser.add_argument_group("what is known").add_mutually_exclusive_group()
    known.add_argument(
        "--baseline", metavar="FILE", help="do not report what is in there; tell what is not found"
    )
    known.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="write what is found (from --fail-on upwards) there and report nothing",
    )
    running = parser.add_argument_group("how it runs")
    running.add_argument(
        "--fail-on",
        choices=FAIL_ON,
        default="warning",
        help="the least severity for which the exit code is 1; default: warning",
    )
    running.add_argument("--exit-zero", action="store_true", help="the same as --fail-on never")
    running.add_argument(
        "--exit-non-zero-on-fix",
        action="store_true",
        help="1 also when all that was found is fixed",
    )
    running.add_argument("--watch", "-w", action="store_true", help="check again on each change")
    running.add_argument(
        "--jobs", "-j", type=_count, metavar="N", help="processes; default: by load"
    )
    running.add_argument(
        "--no-cache", action="store_true", help="keep nothing from or for other runs"
    )
    running.add_argument(
        "--cache-dir",
        metavar="FOLDER",
        help="keep results there; default: JAXREF_CACHE_DIR, or the user's folder for caches",
    )
    running.add_argument("--show-files", action="store_true", help="list the files, check nothing")
    running.add_argument(
        "--show-settings",
        action="store_true",
        help="show the settings for the first path, check nothing",
    )


def _configuration(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.set_defaults(configured={})
    parser.add_argument(
        "--config",
        metavar="FILE|KEY=VALUE",
        action=_Configuration,
        help="a settings file instead of the nearest one, or one setting that wins over files",
    )


class _Configuration(argparse.Action):
    """Puts a settings file into `config`, and settings into the table `configured`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        written = str(values)
        if os.path.isfile(written):
            namespace.config = written
            return
        from jaxref.cli.configured import joined, setting

        try:
            namespace.configured = joined(namespace.configured, setting(written))
        except ValueError as error:
            raise argparse.ArgumentError(self, str(error)) from None


KINDS: dict[str, DocumentKind] = {"python": "module", "notebook": "notebook", "markdown": "page"}


def _extension(text: str) -> tuple[str, DocumentKind]:
    suffix, _, kind = text.partition(":")
    suffix = "." + suffix.strip().lower().removeprefix(".")
    if kind not in KINDS or suffix == "." or suffix.count(".") > 1:
        raise argparse.ArgumentTypeError(f"must be EXT:KIND, with a kind of {', '.join(KINDS)}")
    return suffix, KINDS[kind]


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError("must be a whole number from 1")
    return number


def _server(parser: argparse.ArgumentParser) -> None:
    parser.description = "Serve editors by the Language Server Protocol."
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--stdio", action="store_true", help="by standard input and output (default)"
    )
    where.add_argument("--tcp", metavar="HOST:PORT", help="wait for one client there")
    parser.add_argument("--clientProcessId", type=int, metavar="N", help=argparse.SUPPRESS)
    parser.add_argument("--log-file", metavar="FILE", help="write the log there")
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), default="warning"
    )


def _rule(parser: argparse.ArgumentParser) -> None:
    parser.description = "Explain a rule, or list them all."
    which = parser.add_mutually_exclusive_group()
    which.add_argument("name", nargs="?", metavar="RULE")
    which.add_argument("--all", action="store_true", help="the pages of all rules")
    parser.add_argument("--output-format", choices=("text", "json", "markdown"), default="text")


def _reveal(parser: argparse.ArgumentParser) -> None:
    parser.description = "Say what jaxref knows of the values in a file, on a line, or at a place."
    parser.add_argument("place", metavar="FILE[:cell N][:LINE[:COLUMN]]")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    parser.add_argument("--jax-version", metavar="VERSION")
    parser.add_argument("--python", metavar="ENV")
    _configuration(parser)


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a script by which a shell completes `jaxref`. bash: source it in ~/.bashrc; zsh: save it"
        " as _jaxref in a folder of $fpath; fish: save it in ~/.config/fish/completions/jaxref.fish."
    )
    parser.add_argument("shell", choices=SHELLS)


def _config(parser: argparse.ArgumentParser) -> None:
    parser.description = "Show the settings that hold for a path, and where they come from."
    parser.add_argument("path", nargs="?", default=".", metavar="PATH")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    _configuration(parser)
    parser.add_argument("--isolated", action="store_true", help="no settings file at all")
