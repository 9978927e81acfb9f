# expect: wrong
# mistake: The share is divided by the total weight of all samples, including those without an answer, instead of the total weight of the votes.
import sys
from fractions import Fraction

sys.set_int_max_str_digits(0)


class Tally:
    def __init__(self):
        self.first = {}
        self.weight = {}

    def add(self, key, index, weight):
        if key not in self.first:
            self.first[key] = index
            self.weight[key] = 0
        self.weight[key] += weight

    def best(self):
        best = None
        for key in self.first:
            if best is None or self.weight[key] > self.weight[best]:
                best = key
        return best


def same_form(answer):
    answer = answer.strip()
    return answer.upper() if answer.isalpha() else Fraction(answer.replace(",", ""))


def majority_vote(answers, scores=None):
    weights = [1] * len(answers) if scores is None else list(scores)
    tally = Tally()
    for i, answer in enumerate(answers):
        if answer is not None:
            tally.add(same_form(answer), i, weights[i])
    key = tally.best()
    if key is None:
        return -1, 0.0
    total = sum(weights)
    share = tally.weight[key] / total if total > 0 else 0.0
    return tally.first[key], share
