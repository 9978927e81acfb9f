"""docs/commands.md is what the code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.cli.group import cli
from interviewer.cli.reference import commands_text
from interviewer.config import ABOUT

FILE = Path(__file__).parents[2] / "docs" / "commands.md"


@pytest.mark.expectation(number=73)
def test_the_document_is_the_generated_one() -> None:
    """Mend with: python -m interviewer.cli.reference > docs/commands.md."""
    assert FILE.read_text(encoding="utf-8") == commands_text()


def test_every_option_of_every_command_and_every_setting_is_in_it() -> None:
    text = commands_text()
    for command in cli.commands.values():
        for option in command.params:
            assert all(name in text for name in option.opts if name.startswith("--"))
    assert all(f"| `{key}` |" in text for key in ABOUT)
