"""One finding about this machine, and looks that run beside each other; a look that is late or fails is a finding."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Check:
    """Hold one finding."""

    name: str
    is_ok: bool
    detail: str
    fix: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the object that `doctor --json` prints."""
        return {"name": self.name, "ok": self.is_ok, "detail": self.detail, "fix": self.fix}


@dataclass
class Look:
    """Hold one look that runs from now on, in a thread that the process does not wait for when it ends."""

    name: str
    seconds: float
    act: Callable[[], Sequence[Check]]
    fix: str
    _found: list[Check] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.seconds
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def found(self) -> list[Check]:
        """Return what was found in time, or that it was not."""
        self._thread.join(max(0.0, self._end - time.monotonic()))
        if self._thread.is_alive():
            return [Check(self.name, False, f"no answer within {self.seconds:g} s", self.fix)]
        return self._found

    def _run(self) -> None:
        try:
            self._found = list(self.act())
        except Exception as error:
            self._found = [Check(self.name, False, f"cannot be looked at: {type(error).__name__}: {error}", self.fix)]
