"""A dict keeps the order of the first votes, and `max` returns the first of equal totals, so ties need no code."""

from fractions import Fraction


def majority_vote(answers, scores=None):
    """Return the index of the first sample that votes for the winning answer, and that answer's share of the votes.

    Source: arXiv:2203.11171.
    """
    totals = {}
    first_votes = {}
    for index, answer in enumerate(answers):
        if answer is None:
            continue
        key = _canonical(answer)
        first_votes.setdefault(key, index)
        totals[key] = totals.get(key, 0) + (1 if scores is None else scores[index])
    if not totals:
        return -1, 0.0
    winner = max(totals, key=totals.get)
    all_votes = sum(totals.values())
    return first_votes[winner], totals[winner] / all_votes if all_votes > 0 else 0.0


def _canonical(answer):
    """Return an equal key for equal answers: the exact value of a number, or a text in lower case."""
    text = answer.strip().replace(",", "")
    return text.lower() if text.isalpha() else Fraction(text)
