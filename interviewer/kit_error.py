"""What the app lacks, said so that the user can mend it; and how a name that the user gave is looked up.

KitError                    something the app needs is missing; the message says what and the fix what to do
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
# Kinds that the user's own words caused: bad input, not a failure of ours.
USERS_OWN = frozenset({"plan", "session", "unknown", "unusable"})


class KitError(Exception):
    """Say what the app lacks. `kind` is a short name for it, `fix` what the user can do next."""

    def __init__(self, kind: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.fix = fix


def find_named(what: str, wanted: str, known: Mapping[str, T]) -> T:
    """Return the question or task with this id. Raises: KitError with the nearest known id."""
    if wanted in known:
        return known[wanted]
    import difflib  # the app opens without it

    near = difflib.get_close_matches(wanted, known, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"interviewer {what}s lists them."
    raise KitError("unknown", f"unknown {what} {wanted}", hint)


@contextmanager
def log_errors() -> Iterator[None]:
    """Turn what the practice log raises into a KitError."""
    from interviewer.log.errors import LogError  # the app opens without it

    try:
        yield
    except LogError as error:
        raise KitError("log", error.message, error.fix) from None
