"""docs/commands.md matches the code."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from interviewer.cli.command_docs import commands_text, subcommands
from interviewer.cli.group import cli
from interviewer.config import ABOUT

FILE = Path(__file__).parents[2] / "docs" / "commands.md"


@pytest.mark.expectation(number=73)
def test_the_document_is_the_generated_one() -> None:
    """If it is out of date, run: python -m interviewer.cli.command_docs > docs/commands.md."""
    assert FILE.read_text(encoding="utf-8") == commands_text()


def test_every_option_of_every_command_and_every_setting_is_in_it() -> None:
    text = commands_text()
    commands = dict(subcommands(cli, click.Context(cli)))
    assert set(commands) == set(cli.commands)
    for command in commands.values():
        for option in command.params:
            assert all(name in text for name in option.opts if name.startswith("--"))
    assert all(f"| `{key}` |" in text for key in ABOUT)


def test_the_short_help_in_the_table_is_that_of_each_command() -> None:
    shown = {name: command.get_short_help_str(200) for name, command in subcommands(cli, click.Context(cli))}
    assert shown == {name: stand_in.get_short_help_str(200) for name, stand_in in cli.commands.items()}
