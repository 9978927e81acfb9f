"""Records in the error journal why model-written text was not shown to the candidate."""

from __future__ import annotations

from interviewer.errors import InterviewerError, journal


class TextRefused(InterviewerError):
    """A check rejected text that the model wrote for the candidate."""

    kind = "refused"


def note_refusal(model: str, what: str, violation: str) -> None:
    """Record what a check found in the model's text, if anything, but not the text, which may give an answer away."""
    if violation:
        journal.record(TextRefused(f"{model}: its {what} {violation}, so it was not shown."), TextRefused.kind)
