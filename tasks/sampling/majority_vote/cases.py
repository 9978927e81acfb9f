"""Scores are multiples of 1/8, so that the totals and the ties are exact in any order of summation."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

# Five spellings of 1250, three of -7/4, and one of each of the others.
SPELLINGS = {
    "thousand": ("1,250", "1250", " +1250.0", "2500/2", "1,250.00 "),
    "single": ("125",),
    "negative": ("-7/4", "-1.75", " -1.750"),
    "positive": ("7/4",),
    "text": ("No", "no ", "NO"),
}


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def shuffled(rng, items):
    return [items[place] for place in torch.randperm(len(items), generator=rng).tolist()]


def spelled(answer, count):
    """Return the spellings of one answer in turn, `count` in total."""
    return [SPELLINGS[answer][place % len(SPELLINGS[answer])] for place in range(count)]


def eighths(rng, count, low, high):
    return [randint(rng, low, high) / 8 for _ in range(count)]


def with_gaps(args):
    """Add a sample without an answer, with a high score, at the end."""
    scores = args["scores"]
    return {"answers": [*args["answers"], None], "scores": scores if scores is None else [*scores, 100.0]}


def doubled_scores(args):
    return {**args, "scores": [2 * score for score in args["scores"]]}


def twice(args):
    scores = args["scores"]
    return {"answers": args["answers"] * 2, "scores": scores if scores is None else scores * 2}


GAPS = Relation(
    name="sample_without_answer_added",
    says="A sample without an answer changes nothing, whatever its score.",
    change=with_gaps,
)
TWICE = Relation(
    name="samples_repeated",
    says="If all samples are repeated at the end of the list, the winner and its share stay the same.",
    change=twice,
)
DOUBLED = Relation(
    name="scores_doubled",
    says="Only the ratios of the scores matter.",
    change=doubled_scores,
)


def literal(name, answers, expected, scores=None):
    return Case(name, {"answers": answers, "scores": scores}, expected=expected, visible=True)


def by_hand():
    halves = ["1/2", "3", None, "0.5", "3", " +0.50"]
    yield literal("one_half", halves, (0, 3 / 5))
    # One half has 0.5 + 0.5 + 0.5 = 1.5, and 3 has 2 + 0.25 = 2.25.
    yield literal("one_half_scored", halves, (1, 2.25 / 3.75), [0.5, 2.0, 4.0, 0.5, 0.25, 0.5])
    grouped = ["980", "1,300", "1,250", "1250.0", "980", "1,250", "980", "1,250,000", "1250"]
    yield literal("grouped_digits", grouped, (2, 4 / 9))
    yield literal("texts", ["no", "Yes", "B", " yes", "no", "YES "], (1, 3 / 6))
    yield literal("signs", ["5", "-5", "+5", "-5.0", "-5"], (1, 3 / 5))
    yield literal("mostly_none", [None, "5", None, "4", None, "4"], (3, 2 / 3))
    yield literal("none_at_all", [None, None], (-1, 0.0))
    yield literal("empty_list", [], (-1, 0.0))
    # The float closest to 1/3 is also the closest float to 0.3333333333333333, and these two long integers have the
    # same float.
    yield literal("almost_a_third", ["1/3", "2", "0.3333333333333333", "2", "0.3333333333333333"], (1, 2 / 5))
    long = "12345678901234567890"
    yield literal("long_numbers", [f"{long}1", f"{long}2", f"{long}3", f"{long}3.0"], (2, 2 / 4))
    # The answer with the first vote wins, although the other answer reaches two votes first.
    yield literal("tie_smaller_first", ["3", "9", "9", "3", "1"], (0, 2 / 5))
    yield literal("tie_larger_first", ["9", "3", "3", "9", "1"], (0, 2 / 5))
    # 4 has the best single score and the best mean, 9 has the largest total.
    yield literal("sum_of_scores", ["4", "9", "9", "9"], (1, 1.5 / 2.25), [0.75, 0.5, 0.5, 0.5])
    yield literal("score_without_answer", [None, "6", "8"], (1, 0.5 / 0.75), [5.0, 0.5, 0.25])
    yield literal("zero_score_first", ["4", "9", "9"], (1, 1 / 1.5), [0.5, 0.0, 1.0])
    yield literal("all_scores_zero", [None, "4", "9", "9"], (1, 0.0), [1.0, 0.0, 0.0, 0.0])


def many_votes(rng):
    """Return a plurality in five spellings; the runner-up has one spelling, more often than each of the winner's.

    7/4 and -7/4 together have more votes than the winner. The first sample has no answer.
    """
    answers = [
        *spelled("thousand", randint(rng, 10, 11)),
        *spelled("single", randint(rng, 8, 9)),
        *spelled("negative", 7),
        *spelled("positive", 5),
        *spelled("text", 3),
        *[None] * 13,
    ]
    return Case("many_votes", {"answers": [None, *shuffled(rng, answers)], "scores": None}, relations=(GAPS, TWICE))


def many_scores(rng):
    """Return votes in which the rarer answer has the larger total of scores, although its first vote has a low one."""
    rare, frequent, gaps = randint(rng, 5, 6), randint(rng, 9, 11), 3
    answers = [*spelled("negative", rare), *spelled("single", frequent), *spelled("text", 2), *[None] * gaps]
    scores = [
        *eighths(rng, rare, 12, 16),
        *eighths(rng, frequent, 1, 4),
        *eighths(rng, 2, 1, 8),
        *eighths(rng, gaps, 60, 80),
    ]
    pairs = [(None, 8.0), *shuffled(rng, list(zip(answers, scores, strict=True)))]
    args = {"answers": [answer for answer, _ in pairs], "scores": [score for _, score in pairs]}
    first = next(place for place, answer in enumerate(args["answers"]) if answer in SPELLINGS["negative"])
    args["scores"][first] = 1.0
    return Case("many_scores", args, relations=(GAPS, TWICE, DOUBLED))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield many_votes(rng)
    yield many_scores(rng)
