# expect: wrong
# mistake: Texts that differ in case count as different answers, and winner is the index of the winning answer's sample with the highest score instead of its first sample.
import sys
from fractions import Fraction


def majority_vote(answers, scores=None):
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    w = scores if scores is not None else [1.0 for _ in answers]

    clusters = {}
    for i, raw in enumerate(answers):
        if raw is None:
            continue
        token = raw.strip()
        key = token if token.isalpha() else Fraction(token.replace(",", ""))
        clusters.setdefault(key, []).append(i)
    if not clusters:
        return -1, 0.0

    mass = {key: sum(w[i] for i in members) for key, members in clusters.items()}
    best = max(clusters, key=mass.get)
    winner = max(clusters[best], key=lambda i: w[i])
    total = sum(mass.values())
    return winner, (mass[best] / total if total > 0 else 0.0)
