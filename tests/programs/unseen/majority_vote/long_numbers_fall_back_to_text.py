# expect: wrong
# mistake: A number with more digits than Python converts by default (4300) is compared as text, so two ways of writing the same long number are different answers.
from fractions import Fraction


def _normalize(answer):
    text = answer.strip()
    try:
        return Fraction(text.replace(",", ""))
    except ValueError:
        return text.lower()


def majority_vote(answers, scores=None):
    keys = [None if a is None else _normalize(a) for a in answers]
    if scores is None:
        scores = [1] * len(keys)

    totals = {}
    for key, score in zip(keys, scores):
        if key is not None:
            totals[key] = totals.get(key, 0) + score
    if not totals:
        return -1, 0.0

    top = max(totals.values())
    winner = next(i for i, key in enumerate(keys) if key is not None and totals[key] == top)
    denominator = sum(totals.values())
    return winner, (top / denominator if denominator else 0.0)
