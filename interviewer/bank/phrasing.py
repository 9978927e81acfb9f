r"""Writes a phrasing out as a regular expression: `<40>` stands for up to 40 characters without a negation.

"gradient <40> back" finds "the gradient pulls it back" and not "the gradient does not come back": who denies a point
between two of its words does not say it.
"""

from __future__ import annotations

import re

_GAP = re.compile(r"<(\d+)>")
# In brackets, because a negation that a phrasing asks for counts as part of what is said (see negation.py).
_NO_NEGATION = r"\b[n]ot\b|\b[n]ever\b|\b[n]o\b|\b[w]ithout\b|\b[c]annot\b|n\Wt\b"


def as_expression(phrasing: str) -> str:
    """Return the regular expression that a phrasing stands for."""
    return _GAP.sub(lambda found: rf"(?:(?!{_NO_NEGATION}).){{0,{found[1]}}}", phrasing)
