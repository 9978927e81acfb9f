"""Text from outside (candidate, model, sandbox) made safe to draw: characters that steer a terminal never reach it."""

from __future__ import annotations

from interviewer import sanitize


def printable(text: str) -> str:
    """Return the text with every unsafe character shown as a replacement mark: here a removal must be seen."""
    return sanitize.printable(text, sanitize.REPLACEMENT)


def shortened(text: str, characters_max: int) -> str:
    """Return the text, or its beginning and a remark on how much more there is."""
    if len(text) <= characters_max:
        return text
    return f"{text[:characters_max]}\n… {len(text) - characters_max:,} more characters; the log keeps them all."


def folded(text: str, characters_max: int) -> str:
    """Return prose with longer lines broken at a space: a text area takes a second per key on a line of a megabyte."""
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
    """Return an id as it is read aloud."""
    return identifier.replace("_", " ")


def minutes_text(seconds: float) -> str:
    """Return a time as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
