# expect: wrong
# mistake: Numbers are compared after rounding to float64, so different numbers that are very close or very large count as the same answer.
from collections import defaultdict


def normalize(answer):
    s = answer.strip()
    if s.isalpha():
        return s.lower()
    s = s.replace(",", "")
    if "/" in s:
        top, bottom = s.split("/")
        return float(top) / float(bottom)
    return float(s)


def majority_vote(answers, scores=None):
    weight = defaultdict(float)
    first_seen = {}
    for i, a in enumerate(answers):
        if a is None:
            continue
        key = normalize(a)
        if key not in first_seen:
            first_seen[key] = i
        weight[key] += 1.0 if scores is None else scores[i]

    if not first_seen:
        return -1, 0.0
    best = max(first_seen, key=lambda k: (weight[k], -first_seen[k]))
    total = sum(weight.values())
    return first_seen[best], (weight[best] / total if total else 0.0)
