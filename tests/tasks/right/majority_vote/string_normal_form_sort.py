import math
import re
import sys
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter

NUMBER = re.compile(r"(?P<sign>[+-]?)(?P<whole>[0-9,]+)(?:\.(?P<decimals>[0-9]*)|/(?P<below>[0-9,]+))?")


@contextmanager
def long_integers():
    """Allow int() and str() to convert any number of digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def normal_form(answer):
    """Return a string that is the same for two answers if and only if they are the same answer."""
    answer = answer.strip()
    match = NUMBER.fullmatch(answer)
    if match is None:
        return "text " + answer.casefold()
    whole = match["whole"].replace(",", "")
    decimals = match["decimals"] or ""
    numerator = int(whole + decimals)
    denominator = int(match["below"].replace(",", "")) if match["below"] else 10 ** len(decimals)
    divisor = math.gcd(numerator, denominator)
    sign = "-" if match["sign"] == "-" and numerator else ""
    return f"number {sign}{numerator // divisor}/{denominator // divisor}"


def majority_vote(answers, scores=None) -> tuple[int, float]:
    """Return the index of the first sample with the winning answer, and that answer's share of the votes."""
    with long_integers():
        votes = [
            (normal_form(answer), i, 1.0 if scores is None else scores[i])
            for i, answer in enumerate(answers)
            if answer is not None
        ]
    if not votes:
        return -1, 0
    votes.sort(key=itemgetter(0, 1))
    groups = [list(group) for _, group in groupby(votes, key=itemgetter(0))]
    totals = [(-sum(score for _, _, score in group), group[0][1]) for group in groups]
    negative, winner = min(totals)
    everything = sum(score for _, _, score in votes)
    if everything == 0:
        return winner, 0
    return winner, -negative / everything
