"""An error as the user reads it: what went wrong and what to do next, never a traceback."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class _Told(Protocol):
    """An error of ours that says what to do; told by shape, since screens may not import the rooms that raise it."""

    message: str
    fix: str


def advice(error: BaseException) -> str:
    """Return message, next step and id of an error; one that is none of ours is named as a fault of the app.

    The error is kept under that id; the screen Errors shows it whole.
    """
    from interviewer.faults import id_words, words_of  # the first picture shows no error

    if isinstance(error, _Told):
        lines = [error.message, error.fix]
    else:
        lines = [
            f"A fault of the app: {type(error).__name__}: {words_of(error)}",
            "Your session is in the log up to here. Try again, or leave and continue later.",
        ]
    kept = id_words(error).strip()
    return "\n".join([*lines, kept] if kept else lines)


def parting_words(error: BaseException) -> str:
    """Return what is said on the terminal when the app ends of an error."""
    from interviewer.faults import keep, words_of

    kept = keep(error)
    lines = [
        f"interviewer: a fault of the app: {type(error).__name__}: {words_of(error)}",
        "Everything up to here is in the practice log; start interviewer again and continue.",
    ]
    return "\n".join([*lines, f"Error {kept}: interviewer errors {kept} shows where it came from."] if kept else lines)
