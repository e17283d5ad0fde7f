"""Options of `jaxref check` that cannot be meant together."""

from __future__ import annotations

from jaxref.cli.plain import OUTPUT_FORMATS
from jaxref.targets import STANDARD_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def contradiction(options: argparse.Namespace) -> str | None:
    """Why the options cannot be meant together, in one line; None when they can."""
    fixing = options.fix or options.fix_only or options.diff
    from_input = STANDARD_INPUT in options.paths
    if options.output_format not in OUTPUT_FORMATS:
        choices = ", ".join(OUTPUT_FORMATS)
        return f"JAXREF_OUTPUT_FORMAT is `{options.output_format}`; it must be one of {choices}"
    if from_input and len(options.paths) > 1:
        return "standard input (-) cannot be checked together with other paths"
    if options.stdin_filename is not None and not from_input:
        return "--stdin-filename needs - as the path"
    if options.isolated and options.config is not None:
        return "--isolated cannot be combined with a settings file by --config"
    if options.watch and from_input:
        return "standard input (-) cannot be watched"
    if options.watch and (fixing or options.add_ignore):
        return "--watch cannot be combined with --fix, --fix-only, --diff or --add-ignore"
    if options.add_ignore and (options.ignore_suppressions or options.fix_only):
        return "--add-ignore cannot be combined with --ignore-suppressions or --fix-only"
    if options.add_ignore and (options.baseline or options.write_baseline):
        return "--add-ignore cannot be combined with --baseline or --write-baseline"
    if options.write_baseline and (options.diff or options.fix_only or options.watch):
        return "--write-baseline cannot be combined with --diff, --fix-only or --watch"
    if options.write_baseline and from_input:
        return "standard input (-) cannot be written to a baseline"
    for name, given in (
        ("--unsafe-fixes", options.unsafe_fixes),
        ("--show-fixes", options.show_fixes),
    ):
        if given and not fixing:
            return f"{name} needs --fix, --fix-only or --diff"
    return None
