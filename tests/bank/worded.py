"""Finds quantities that are written in words: half, twice, a third, ten times, two percent."""

from __future__ import annotations

import re

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "fifty": 50, "a hundred": 100,
    "a thousand": 1000, "a million": 10**6,
}  # fmt: skip
_PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10, "twentieth": 20,
    "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_ALONE = {
    "half": 0.5, "halves": 0.5, "halved": 0.5, "twice": 2, "double": 2, "doubles": 2, "doubled": 2, "triple": 3,
    "triples": 3, "tenfold": 10, "hundredfold": 100,
}  # fmt: skip
_NUMBER = "|".join(sorted(_NUMBERS, key=len, reverse=True))
# Double DQN, double buffers and half-loaded weights are names, not quantities.
# "A times the sum" is an advantage.
_COUNTED = rf"(?!a times)(?P<count>{_NUMBER})[- ](?:(?P<part>{'|'.join(_PARTS)})s?\b|(?P<unit>times|percent)\b)"
_NAMES = r"(?!-\w|[- ](?:buffer|DQN|[Qq]-|estimat|precision))"
MEASURE = re.compile(rf"\b(?:{_COUNTED}|(?P<alone>{'|'.join(_ALONE)})\b{_NAMES})", re.IGNORECASE)


def measures_in(text: str) -> list[float]:
    """Return the values of the quantities in words, in the order of the text."""
    values = []
    for match in MEASURE.finditer(text):
        if alone := match["alone"]:
            values.append(float(_ALONE[alone.lower()]))
            continue
        count = float(_NUMBERS[match["count"].lower()])
        part = _PARTS[match["part"].lower()] if match["part"] else {"times": 1, "percent": 100}[match["unit"].lower()]
        values.append(count / part)
    return values
