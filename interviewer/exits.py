"""The exit codes of the contract, the failure that carries one, and how one JSON object is printed."""

from __future__ import annotations

import sys
from typing import Any

OK, NOT_PASSED, BAD_INPUT, OUR_FAILURE, INTERRUPTED = 0, 1, 2, 3, 130

_REPORT = "What you did up to here is in the practice log. Try again, and report it if it comes back."


class Failure(Exception):
    """Say that a command failed, with its exit code, a short kind, the message and what to do next."""

    def __init__(self, code: int, kind: str, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.kind = kind
        self.message = message
        self.fix = fix


def tell_failure(failure: Failure, *, as_json: bool) -> int:
    """Print a failure, with the id under which it is kept if it is ours, and return its exit code."""
    from interviewer.faults import keep  # the app opens without it

    kept = keep(failure) if failure.code == OUR_FAILURE else ""
    if as_json:
        print_json({"error": error_object(failure, kept)})
        return failure.code
    lines = [f"interviewer: {failure.message}", failure.fix]
    lines += [f"Error {kept}: interviewer errors {kept} shows where it came from."] if kept else []
    sys.stderr.write("\n".join(line for line in lines if line) + "\n")
    return failure.code


def error_object(failure: Failure, kept: str) -> dict[str, str]:
    """Return a failure as it stands under "error" in JSON; `kept` is the id under which it is kept, "" for none."""
    told = {"kind": failure.kind, "message": failure.message, "fix": failure.fix}
    return {**told, "id": kept} if kept else told


def fault_of_ours(error: Exception) -> Failure:
    """Return the failure that stands for an error which nobody foresaw, in its own words where it has some."""
    from interviewer.faults import words_of

    kind, message, fix = type(error).__name__, getattr(error, "message", None), getattr(error, "fix", None)
    if isinstance(message, str) and isinstance(fix, str):
        failure = Failure(OUR_FAILURE, kind, message, fix)
    else:
        failure = Failure(OUR_FAILURE, "fault", f"a fault of the app: {kind}: {words_of(error)}", _REPORT)
    failure.__cause__ = error
    return failure


def print_json(value: Any) -> None:
    """Print exactly one JSON object. Raises: ValueError for a number that JSON has no word for."""
    import json  # the app opens without it

    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")
