"""Generate docs/commands.md from the code: every command with its options, and every setting."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields

import click

from interviewer.cli.group import cli
from interviewer.config import ABOUT, Settings, choices, format_value

COLUMNS = 100
HEAD = """# Commands and settings

<!-- Generated from the code: python -m interviewer.cli.command_docs > docs/commands.md -->

`interviewer COMMAND --help` prints the same text. Exit codes: 0 done or passed, 1 graded but not passed, 2 bad input,
3 internal error, 130 interrupted. With `--json`, standard output is a single JSON object, even on failure.
"""
SETTINGS = """## Settings

`interviewer settings KEY VALUE` changes a setting, and so does `s` on the home screen. A flag overrides an environment
variable (`INTERVIEWER_MODEL`, `INTERVIEWER_SANDBOX`, `INTERVIEWER_IMAGE`), and a variable overrides the settings file,
whose folder `interviewer paths` prints.

| key | default | allowed values | meaning |
|---|---|---|---|"""


def commands_text() -> str:
    """Return the whole document."""
    rows = [
        f"| `{field.name}` | {_default(field.name)} | {_choices(field.name)} | {ABOUT[field.name]} |"
        for field in fields(Settings)
    ]
    return "\n".join([HEAD, *_sections(cli, "interviewer", None), SETTINGS, *rows, ""])


def _sections(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
    context = click.Context(command, parent, name, terminal_width=COLUMNS, **command.context_settings)
    yield f"## {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"
    for child, subcommand in subcommands(command, context):
        yield from _sections(subcommand, child, context)


def subcommands(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Yield the name and the command of each subcommand; imports commands that the group loads lazily."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            _, subcommand, _ = command.resolve_command(context, [name])
            assert subcommand is not None
            yield name, subcommand


def _default(key: str) -> str:
    text = format_value(getattr(Settings(), key))
    return f"`{text}`" if text else "empty"


def _choices(key: str) -> str:
    return ", ".join(f"`{choice}`" for choice in choices(key))


if __name__ == "__main__":
    sys.stdout.write(commands_text())
