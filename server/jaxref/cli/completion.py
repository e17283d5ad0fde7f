"""`jaxref completion`: scripts by which shells complete the command line, made from its grammar."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from jaxref.cli.options import grammar
from jaxref.quick_dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Kind: TypeAlias = 'Literal["choices", "file", "folder", "rule", "other"]'

_BY_METAVAR: dict[str, Kind] = {
    "ENV": "file",
    "FILE": "file",
    "FILE|KEY=VALUE": "file",
    "FILE[:cell N][:LINE[:COLUMN]]": "file",
    "FOLDER": "folder",
    "PATH": "file",
    "RULE": "rule",
    "RULE=LEVEL": "rule",
    "RULE[,RULE]": "rule",
}
"""What the placeholders of the grammar stand for."""


@dataclass(frozen=True, slots=True)
class Value:
    """What may be written in one place."""

    kind: Kind
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """An option by all its names; `value` is None for one that takes none."""

    names: tuple[str, ...]
    about: str
    value: Value | None
    repeated: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its options and what its arguments are, None when it takes none."""

    name: str
    about: str
    options: tuple[Option, ...]
    argument: Value | None


def completion(options: argparse.Namespace) -> int:
    """Print the script. Returns the exit code."""
    from jaxref.cli.choices import rule_names

    written = {"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell]
    print("\n".join(written(commands(), sorted(rule_names()))))
    return 0


def commands() -> tuple[Command, ...]:
    """All commands as the grammar has them."""
    found = []
    for action in grammar()._actions:
        if isinstance(action, argparse._SubParsersAction):
            about = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, parser in action.choices.items():
                found.append(_command(name, about.get(name, ""), parser))
    return tuple(found)


def _command(name: str, about: str, parser: argparse.ArgumentParser) -> Command:
    options: list[Option] = []
    argument: Value | None = None
    for action in parser._actions:
        if action.help == argparse.SUPPRESS:
            continue
        value = _value(action) if action.nargs != 0 else None
        if action.option_strings:
            repeated = isinstance(action, argparse._AppendAction)
            names = tuple(action.option_strings)
            options.append(Option(names, action.help or "", value, repeated))
        else:
            argument = value
    return Command(name, about, tuple(options), argument)


def _value(action: argparse.Action) -> Value:
    if action.choices is not None:
        return Value("choices", tuple(map(str, action.choices)))
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    return Value(_BY_METAVAR.get(metavar, "other"))


# -- bash -------------------------------------------------------------------------------------------


def _bash(found: Sequence[Command], rules: Sequence[str]) -> Iterator[str]:
    names = [command.name for command in found]
    yield "# bash completion for jaxref"
    yield "_jaxref() {"
    yield '    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"'
    yield '    local command="" options="" kind="" words="" index'
    yield f'    local rules="{" ".join(rules)}"'
    yield '    if [[ "$current" == "=" ]]; then current=""; fi'
    yield '    if [[ "$previous" == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi'
    yield "    for ((index = 1; index < COMP_CWORD; index++)); do"
    yield '        case "${COMP_WORDS[index]}" in'
    yield f'            {"|".join(names)}) command="${{COMP_WORDS[index]}}"; break ;;'
    yield "        esac"
    yield "    done"
    yield '    case "$command" in'
    for command in found:
        options = " ".join(name for option in command.options for name in option.names)
        kind, words = _bash_value(command.argument)
        yield f"        {command.name})"
        yield f'            options="{options}" kind="{kind}" words="{words}"'
        yield '            case "$previous" in'
        for option in command.options:
            if option.value is not None:
                kind, words = _bash_value(option.value)
                yield (
                    f'                {"|".join(option.names)}) options="" kind="{kind}"'
                    f' words="{words}" ;;'
                )
        yield "            esac ;;"
    yield f'        *) kind="choices" words="{" ".join(names)}" options="--help --version" ;;'
    yield "    esac"
    yield '    if [[ "$current" == -* && -n "$options" ]]; then kind="choices" words="$options"; fi'
    yield "    COMPREPLY=()"
    yield '    case "$kind" in'
    yield '        choices) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;'
    yield "        rule)"
    yield '            local before=""'
    yield '            if [[ "$current" == *,* ]]; then before="${current%,*},"; fi'
    yield (
        '            COMPREPLY=($(compgen -P "$before" -W "$rules" -- "${current##*,}"))'
        "\n            compopt -o nospace 2>/dev/null ;;"
    )
    yield "        file) compopt -o default 2>/dev/null ;;"
    yield "        folder) compopt -o dirnames 2>/dev/null ;;"
    yield "    esac"
    yield "}"
    yield "complete -F _jaxref jaxref"


def _bash_value(value: Value | None) -> tuple[str, str]:
    return ("", "") if value is None else (value.kind, " ".join(value.choices))


# -- zsh --------------------------------------------------------------------------------------------


def _zsh(found: Sequence[Command], rules: Sequence[str]) -> Iterator[str]:
    yield "#compdef jaxref"
    yield ""
    yield "_jaxref_rules() {"
    yield f"    _values -s , rule {' '.join(rules)}"
    yield "}"
    yield ""
    yield "_jaxref() {"
    yield "    local context state line curcontext=$curcontext"
    yield "    _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)'{-V,--version}'[show the version]' \\"
    yield "        '1: :->command' '*:: :->arguments'"
    yield "    case $state in"
    yield "        command)"
    yield "            local -a names=("
    for command in found:
        yield f"                {_zsh_quoted(f'{command.name}:{command.about}')}"
    yield "            )"
    yield "            _describe command names ;;"
    yield "        arguments)"
    yield "            case $line[1] in"
    for command in found:
        yield f"                {command.name})"
        yield "                    _arguments \\"
        for option in command.options:
            yield f"                        {_zsh_option(option)} \\"
        if command.argument is not None:
            action = _zsh_action(command.argument)
            yield f"                        {_zsh_quoted(f'*:{command.argument.kind}:{action}')} \\"
        yield "                    ;;"
    yield "            esac ;;"
    yield "    esac"
    yield "}"
    yield ""
    yield 'if [[ $funcstack[1] == _jaxref ]]; then _jaxref "$@"; else compdef _jaxref jaxref; fi'


def _zsh_option(option: Option) -> str:
    about = option.about
    for char in "\\[]:":
        about = about.replace(char, f"\\{char}")
    detail = f"[{about}]"
    if option.value is not None:
        detail += f":{option.value.kind}:{_zsh_action(option.value)}"
    names = [name + "=" if option.value and name[:2] == "--" else name for name in option.names]
    if option.repeated:
        return " ".join(_zsh_quoted(f"*{name}{detail}") for name in names)
    others = f"({' '.join(option.names)})" if len(names) > 1 else ""
    return " ".join(_zsh_quoted(f"{others}{name}{detail}") for name in names)


def _zsh_action(value: Value) -> str:
    match value.kind:
        case "choices":
            return f"({' '.join(value.choices)})"
        case "file":
            return "_files"
        case "folder":
            return "_files -/"
        case "rule":
            return "_jaxref_rules"
        case _:
            return " "


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# -- fish -------------------------------------------------------------------------------------------


def _fish(found: Sequence[Command], rules: Sequence[str]) -> Iterator[str]:
    yield "# fish completion for jaxref"
    yield "complete -c jaxref -f"
    yield "complete -c jaxref -n __fish_use_subcommand -s h -l help -d 'show help'"
    yield "complete -c jaxref -n __fish_use_subcommand -s V -l version -d 'show the version'"
    for command in found:
        about = _fish_quoted(command.about)
        yield f"complete -c jaxref -n __fish_use_subcommand -a {command.name} -d {about}"
    for command in found:
        start = f"complete -c jaxref -n '__fish_seen_subcommand_from {command.name}'"
        if command.argument is not None:
            yield f"{start} {_fish_value(command.argument, rules)}"
        for option in command.options:
            names = [
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            ]
            value = "" if option.value is None else f" -r {_fish_value(option.value, rules)}"
            yield f"{start} {' '.join(names)}{value} -d {_fish_quoted(option.about)}"


def _fish_value(value: Value, rules: Sequence[str]) -> str:
    match value.kind:
        case "choices":
            return f"-f -a {_fish_quoted(' '.join(value.choices))}"
        case "file":
            return "-F"
        case "folder":
            return "-f -a '(__fish_complete_directories)'"
        case "rule":
            return f"-f -a {_fish_quoted(' '.join(rules))}"
        case _:
            return "-f"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
