"""Options and kinds of arguments that several commands share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from interviewer.config import DEVICES, MINUTES_MAX, MINUTES_MIN, SANDBOXES

if TYPE_CHECKING:
    from pathlib import Path


class FileName(click.Path):
    """Take a path as a pathlib.Path, whose module is imported when there is one: --help would wait for it."""

    def coerce_path_result(self, value: str | os.PathLike[str]) -> Path:
        """Return the checked name as a path."""
        from pathlib import Path

        if not value:
            self.fail("expected a name, got an empty one")
        return Path(value)


MINUTES = click.FloatRange(MINUTES_MIN, MINUTES_MAX)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
DEVICE = click.option("--device", type=click.Choice(DEVICES), default="cpu", show_default=True)
SANDBOX = click.option("--sandbox", type=click.Choice(SANDBOXES), help="docker, or process for trusted code only.")
