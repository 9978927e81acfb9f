"""How a command reports its failure, and how it prints one JSON object."""

from __future__ import annotations

import json
import sys
from typing import Any

from interviewer.errors import (
    BAD_INPUT,
    INTERRUPTED,
    NOT_PASSED,
    OK,
    OUR_FAILURE,
    InterviewerError,
    expected,
    journal,
)
from interviewer.sanitize import printable

__all__ = [
    "BAD_INPUT",
    "INTERRUPTED",
    "NOT_PASSED",
    "OK",
    "OUR_FAILURE",
    "Failure",
    "error_object",
    "fault_of_ours",
    "print_json",
    "tell_failure",
]
fault_of_ours = expected


class Failure(InterviewerError):
    """Stand for the errors of the commands, until they raise BadInput or InterviewerError themselves."""

    def __init__(self, code: int, kind: str, message: str, fix: str = "") -> None:
        super().__init__(message, fix, kind)
        self.exit_code = code  # type: ignore[misc]


def tell_failure(error: Exception, *, as_json: bool) -> int:
    """Print a failure, with the id under which it is recorded if it is ours, and return its exit code."""
    failure = expected(error)
    record_id = journal.record(failure) if failure.exit_code == OUR_FAILURE else ""
    if as_json:
        print_json({"error": error_object(failure, record_id)})
        return failure.exit_code
    lines = [f"interviewer: {failure.message}", failure.fix]
    lines += [f"Error {record_id}: interviewer errors {record_id} shows where it came from."] if record_id else []
    sys.stderr.write(printable("\n".join(line for line in lines if line)) + "\n")
    return failure.exit_code


def error_object(failure: InterviewerError, record_id: str) -> dict[str, str]:
    """Return a failure as it stands under "error" in JSON; `record_id` is "" when it is not recorded."""
    fields = {"kind": failure.kind, "message": failure.message, "fix": failure.fix}
    return {**fields, "id": record_id} if record_id else fields


def print_json(value: Any) -> None:
    """Print exactly one JSON object. Raises: ValueError for a number that JSON has no word for."""
    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")
