"""Tells each save of one file once it has settled; a file that is missing or does not parse is told and waited for."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from interviewer.cli.plain.interview import read_source
from interviewer.errors import BadInput

POLL_SECONDS = 0.2
# Editors write in several steps (truncate, write, rename): a save counts once nothing has changed for this long.
SETTLE_SECONDS = 0.3


@dataclass(frozen=True)
class Saved:
    """Hold one state of the file: its source, or in words why there is nothing to grade."""

    source: str
    problem: str = ""


def watch_file(
    path: Path, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
) -> Iterator[Saved]:
    """Yield what the file holds now, and again after each save that changes it; never ends by itself."""
    told: Saved | None = None
    seen, since = _stamp(path), clock() - SETTLE_SECONDS
    while True:
        now = _stamp(path)
        if now != seen:
            seen, since = now, clock()
        elif clock() - since >= SETTLE_SECONDS:
            saved = _read(path)
            if saved != told:
                told = saved
                yield saved
            # Nothing more to tell until it changes.
            since = math.inf
        sleep(POLL_SECONDS)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return when the file was changed and its size in bytes; None when it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _read(path: Path) -> Saved:
    try:
        source = read_source(path)
    except BadInput as error:
        return Saved("", f"{error}; waiting for it")
    try:
        compile(source, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f" at line {line}" if line else ""
        return Saved(source, f"does not parse{where}: {getattr(error, 'msg', error)}; waiting for the next save")
    return Saved(source)
