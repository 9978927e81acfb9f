"""Agreement between a judge and gold: plain statistics; where one is not defined it is None, never a number."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Hashable, Sequence

Pair = tuple[Hashable, Hashable]


def kappa(pairs: Sequence[Pair]) -> float | None:
    """Return Cohen's kappa of (gold, judged) labels; None when chance alone would agree everywhere."""
    if not pairs:
        return None
    gold, judged = Counter(label for label, _ in pairs), Counter(label for _, label in pairs)
    by_chance = sum(gold[label] * judged[label] for label in gold) / len(pairs) ** 2
    if by_chance == 1:
        return None
    return (sum(gold_label == judged_label for gold_label, judged_label in pairs) / len(pairs) - by_chance) / (
        1 - by_chance
    )


def quadratic_kappa(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Return kappa of (gold, judged) levels with quadratic weights; None when all levels are one."""
    if not pairs:
        return None
    seen = sum((gold - judged) ** 2 for gold, judged in pairs) / len(pairs)
    by_chance = sum((gold - judged) ** 2 for gold, _ in pairs for _, judged in pairs) / len(pairs) ** 2
    return 1 - seen / by_chance if by_chance else None


def macro_f1(pairs: Sequence[Pair]) -> float | None:
    """Return the mean F1 over the labels that occur in the gold; None without any."""
    labels = {gold for gold, _ in pairs}
    scores = []
    for label in labels:
        hits = sum(gold == judged == label for gold, judged in pairs)
        claimed = sum(judged == label for _, judged in pairs)
        wanted = sum(gold == label for gold, _ in pairs)
        scores.append(2 * hits / (claimed + wanted))
    return statistics.mean(scores) if scores else None


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Pearson's r; None when one side does not vary."""
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return statistics.correlation(xs, ys)


def rank_correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Spearman's rho, ties at their mean rank; None when one side does not vary."""
    return correlation(_ranks(xs), _ranks(ys))


def slope(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return the least-squares slope of y over x; None when x does not vary."""
    return statistics.linear_regression(xs, ys).slope if len(set(xs)) > 1 else None


def share(hits: int, of: int) -> float | None:
    """Return the share; None of nothing."""
    return hits / of if of else None


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    places: dict[float, list[int]] = {}
    for place, value in enumerate(ordered):
        places.setdefault(value, []).append(place)
    return [statistics.mean(places[value]) for value in values]
