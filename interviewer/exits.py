"""The exit codes of the contract, the failure that carries one, and how one JSON object is printed."""

from __future__ import annotations

import sys
from typing import Any

OK, NOT_PASSED, BAD_INPUT, OUR_FAILURE, INTERRUPTED = 0, 1, 2, 3, 130


class Failure(Exception):
    """Say that a command failed, with its exit code, a short kind, the message and what to do next."""

    def __init__(self, code: int, kind: str, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.kind = kind
        self.message = message
        self.fix = fix


def print_json(value: Any) -> None:
    """Print exactly one JSON object. Raises: ValueError for a number that JSON has no word for."""
    import json  # the app opens without it

    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")
