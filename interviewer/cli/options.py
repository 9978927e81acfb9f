"""Options and argument types shared by several commands, and the app context built from their values."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import click

from interviewer.cli.output import echo
from interviewer.config import (
    DEVICES,
    EXAMINERS,
    MINUTES_MAX,
    MINUTES_MIN,
    SANDBOXES,
    find_folders,
    load_settings,
)
from interviewer.interview.context import AppContext

# The largest seed that all of the generators used accept.
SEED_MAX = 2**63 - 1


class FileName(click.Path):
    """A click type for paths: rejects an empty string, and returns a pathlib.Path."""

    def coerce_path_result(self, value: str | os.PathLike[str]) -> Path:
        """Check the name, and return it as a path."""
        if not value:
            self.fail("expected a name, got an empty string")
        return Path(value)


class DeviceName(click.Choice[str]):
    """One of the devices that tasks are graded on."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the device; for Apple GPUs, say that they are not supported."""
        if value == "mps":
            self.fail("mps (Apple GPUs) is not supported: leave out --device to grade on the CPU", param, ctx)
        return super().convert(value, param, ctx)


class FiniteRange(click.FloatRange):
    """A range of numbers that does not contain NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; reject NaN, which click's range accepts."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"expected a finite number, got {value}", param, ctx)
        return number


FILE = FileName(dir_okay=False)
FOLDER = FileName(exists=True, file_okay=False)
MINUTES = FiniteRange(MINUTES_MIN, MINUTES_MAX)
EXAMINER = click.Choice(EXAMINERS)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print a single JSON object.")
DEVICE = click.option("--device", type=DeviceName(DEVICES), default="cpu", show_default=True)
MODEL = click.option("--model", metavar="NAME", help="LiteLLM model name, or scripted/FILE.")
SANDBOX = click.option("--sandbox", type=click.Choice(SANDBOXES), help="docker, or process (for trusted code only).")


def open_context(**flags: Any) -> AppContext:
    """Return the app context for these settings; it prints notices about the log. None means that a flag was not given.

    Raises ConfigError if a setting is invalid.
    """
    folders = find_folders()
    context = AppContext(load_settings(folders, os.environ, flags), folders)
    context.tell = lambda notice: echo(f"note: {notice}", is_error=True)
    return context
