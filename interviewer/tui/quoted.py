"""What stands in “quotes” in the interviewer's words is somebody's own: Markdown draws it sign by sign, as it was said.

The candidate's 2*32e9*6000 must not come back as 232e96000, nor `x` without its ticks. The first line of a verdict is
such a quote without its marks: it tells what the submission raised, as in `__init__`, or how it called its outputs.
"""

from __future__ import annotations

from interviewer.session.move import MoveKind

_AS_ENTITY = {ord(sign): f"&#{ord(sign)};" for sign in "\\`*_[]<>|#~$&!"}


class QuotedText:
    """Turn Markdown that comes in pieces into Markdown whose quotes hold no markup. A quote ends with its line."""

    def __init__(self, move: MoveKind | None = None) -> None:
        self._is_inside = move is MoveKind.VERDICT

    def feed(self, text: str) -> str:
        """Return the same text, each sign in a quote that Markdown or a formula begins with as an entity."""
        return "".join(map(self._sign, text))

    def _sign(self, sign: str) -> str:
        if sign in "”\n":
            self._is_inside = False
        shown = sign.translate(_AS_ENTITY) if self._is_inside else sign
        if sign == "“":
            self._is_inside = True
        return shown
