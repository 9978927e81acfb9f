"""Format text for the screen: mark unsafe characters, truncate long text, and show errors without tracebacks."""

from __future__ import annotations

from interviewer import sanitize
from interviewer.errors import EXPECTED_ERRORS, journal, text_of


def printable(text: str) -> str:
    """Return the text with every unsafe character shown as a replacement mark, so that removals are visible."""
    return sanitize.printable(text, sanitize.REPLACEMENT)


def shortened(text: str, characters_max: int) -> str:
    """Return the text or, if it is too long, its beginning and a note with the number of omitted characters.

    Text that exceeds the limit by no more than the note's length is returned whole, because truncating it would save
    nothing.
    """
    note = f"… {len(text) - characters_max:,} more characters; the full text is in the log."
    return text if len(text) <= characters_max + len(note) else f"{text[:characters_max]}\n{note}"


def folded(text: str, characters_max: int) -> str:
    """Wrap long lines of prose at spaces.

    With a megabyte on a single line, each key press in a text area takes a second.
    """
    lines = []
    for line in text.split("\n"):
        rest = line
        while len(rest) > characters_max:
            space = rest.rfind(" ", 0, characters_max)
            cut, gap = (space, 1) if space > 0 else (characters_max, 0)
            lines.append(rest[:cut])
            rest = rest[cut + gap :]
        lines.append(rest)
    return "\n".join(lines)


def in_words(identifier: str) -> str:
    """Return an id as readable words."""
    return identifier.replace("_", " ")


def minutes_text(seconds: float) -> str:
    """Format a time as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def advice(error: BaseException) -> str:
    """Return the printable message, fix and id of an error; an unexpected error is described as a bug in the app.

    The error is recorded under its id; the Errors screen shows the full record.
    """
    if isinstance(error, EXPECTED_ERRORS):
        lines = [error.message, error.fix]
    else:
        lines = [
            f"Internal error: {type(error).__name__}: {text_of(error)}",
            "Your session is saved up to this point. Try again, or leave and resume later.",
        ]
    if record_id := journal.record(error):
        lines.append(f"Error {record_id}.")
    # The message may quote a server's reply.
    return printable("\n".join(lines))


def parting_words(error: BaseException) -> str:
    """Return the message to print on the terminal when the app exits because of an error."""
    lines = [
        f"interviewer: internal error: {type(error).__name__}: {text_of(error)}",
        "Everything up to this point is in the practice log. Restart interviewer and resume the session.",
    ]
    if record_id := journal.record(error):
        lines.append(f"Error {record_id}: run interviewer errors {record_id} for the traceback.")
    return "\n".join(lines)
