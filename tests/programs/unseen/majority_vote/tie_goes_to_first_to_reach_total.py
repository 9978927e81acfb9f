# expect: wrong
# mistake: Of several answers with the largest total, the one that reaches this total first in the list wins, not the one whose first vote comes earliest.
import sys
from fractions import Fraction

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


def canonical(answer):
    answer = answer.strip().replace(",", "")
    if answer.isalpha():
        return ("text", answer.lower())
    return ("number", Fraction(answer))


def majority_vote(answers, scores=None):
    totals = {}
    first = {}
    leader, leader_total = None, -1
    total = 0
    for i, answer in enumerate(answers):
        if answer is None:
            continue
        w = 1 if scores is None else scores[i]
        key = canonical(answer)
        first.setdefault(key, i)
        totals[key] = totals.get(key, 0) + w
        total += w
        if totals[key] > leader_total:
            leader, leader_total = key, totals[key]
    if leader is None:
        return -1, 0
    return first[leader], leader_total / total if total > 0 else 0
