"""An error as the user reads it: what went wrong and what to do next, never a traceback."""

from __future__ import annotations

from interviewer.errors import EXPECTED_ERRORS, journal, text_of


def advice(error: BaseException) -> str:
    """Return message, next step and id of an error; an unforeseen one is called a fault of the app.

    The error is recorded under that id; the screen Errors shows all of it.
    """
    if isinstance(error, EXPECTED_ERRORS):
        lines = [error.message, error.fix]
    else:
        lines = [
            f"A fault of the app: {type(error).__name__}: {text_of(error)}",
            "Your session is in the log up to here. Try again, or leave and continue later.",
        ]
    if record_id := journal.record(error):
        lines.append(f"Error {record_id}.")
    return "\n".join(lines)


def parting_words(error: BaseException) -> str:
    """Return what is said on the terminal when the app ends because of an error."""
    lines = [
        f"interviewer: a fault of the app: {type(error).__name__}: {text_of(error)}",
        "Everything up to here is in the practice log; start interviewer again and continue.",
    ]
    if record_id := journal.record(error):
        lines.append(f"Error {record_id}: interviewer errors {record_id} shows where it came from.")
    return "\n".join(lines)
