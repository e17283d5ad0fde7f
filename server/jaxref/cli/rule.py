"""`jaxref rule`: the rules and their pages."""

from __future__ import annotations

import argparse
import json
from difflib import get_close_matches

from jaxref.cli.choices import complain
from jaxref.cli.pages import in_short, listed_rules, page_of
from jaxref.diagnostics.report import rule_url


def rule(options: argparse.Namespace) -> int:
    """Print one rule's page, all pages, or the list of rules. Returns the exit code."""
    rules = listed_rules()
    chosen = rules
    if options.name is not None:
        chosen = [rule for rule in rules if rule.name == options.name]
        if not chosen:
            near = get_close_matches(options.name, [rule.name for rule in rules], 1)
            meant = f"; did you mean `{near[0]}`?" if near else "; `jaxref rule` lists them"
            complain(f"error: no rule is called `{options.name}`{meant}")
            return 2
    if options.output_format == "json":
        records = [
            {
                "name": rule.name,
                "severity": rule.severity,
                "summary": rule.summary,
                "url": rule_url(rule.name),
                "page": page_of(rule.name),
            }
            for rule in chosen
        ]
        print(json.dumps(records[0] if options.name else records, indent=2))
    elif options.name is not None or options.all:
        pages = [page_of(rule.name) or f"# {rule.name}\n\n{rule.summary}\n" for rule in chosen]
        if options.output_format == "text":
            pages = [in_short(page) for page in pages]
        print("\n\n".join(page.strip() for page in pages))
    elif options.output_format == "markdown":
        print("| rule | severity | what it finds |\n| --- | --- | --- |")
        for rule in chosen:
            print(f"| [{rule.name}]({rule_url(rule.name)}) | {rule.severity} | {rule.summary} |")
    else:
        width = max((len(rule.name) for rule in chosen), default=0)
        for rule in chosen:
            print(f"{rule.name:<{width}}  {rule.severity:<7}  {rule.summary}")
    return 0
