"""An error as the user reads it: what went wrong and what to do next, never a traceback."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class _Told(Protocol):
    """An error of ours that says what to do; told by shape, since screens may not import the rooms that raise it."""

    message: str
    fix: str


def advice(error: BaseException) -> str:
    """Return message and next step of an error; one that is none of ours is named as a fault of the app."""
    if isinstance(error, _Told):
        return f"{error.message}\n{error.fix}"
    return (
        f"A fault of the app: {type(error).__name__}: {error}\n"
        "Your session is in the log up to here. Try again, or leave and continue later."
    )
