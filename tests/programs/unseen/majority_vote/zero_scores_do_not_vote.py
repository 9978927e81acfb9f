# expect: wrong
# mistake: A sample with a score of 0 is skipped as if it had no answer, so it cannot be the winner's first vote, and winner is -1 if all scores are 0.
import sys
from fractions import Fraction


def parse(text):
    text = text.strip()
    if text[0].isalpha():
        return text.casefold()
    sys.set_int_max_str_digits(0)
    return Fraction(text.replace(",", ""))


def majority_vote(answers, scores=None):
    if scores is None:
        scores = [1.0] * len(answers)

    votes = [(i, parse(a), w) for i, (a, w) in enumerate(zip(answers, scores)) if a is not None and w]
    if not votes:
        return -1, 0.0

    groups = {}
    for i, key, w in votes:
        group = groups.setdefault(key, [i, 0.0])
        group[1] += w

    index, best = max(groups.values(), key=lambda g: g[1])
    return index, best / sum(w for _, _, w in votes)
