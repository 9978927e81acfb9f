"""Rows are chosen by kind, so that each case contains the kind that it tests, for every seed."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def shuffled(rng, rows):
    """Return the rows in random order, except for the last one: a program that stops early does not see it."""
    table = torch.stack(rows)
    columns = torch.randperm(table.shape[1], generator=rng)
    order = torch.randperm(len(rows) - 1, generator=rng)
    return torch.cat([table[order], table[-1:]])[:, columns]


def row(answers, low, high, count):
    """Return a row with `high` for `count` answers and `low` for the others."""
    return torch.tensor([high] * count + [low] * (answers - count))


def binary(rng, varied):
    """Return `varied` mixed prompts among solved and failed ones, with rewards 0 and 1; the second has one success."""
    answers = randint(rng, 6, 8)
    mixed = [2, 1] + [randint(rng, 2, answers - 2) for _ in range(varied - 2)]
    counts = [answers, 0, *mixed, 0, answers]
    order = torch.randperm(answers, generator=rng)
    return torch.stack([row(answers, 0.0, 1.0, count) for count in counts])[:, order]


def shift(args):
    return {**args, "rewards": 4 * args["rewards"] - 3}


def reverse_answers(args):
    return {**args, "rewards": args["rewards"].flip(1)}


def doubled_batch(args):
    """Return the batch followed by itself."""
    return {**args, "rewards": args["rewards"].repeat(2, 1)}


ANSWERS = Relation(
    name="answers_reversed",
    says="The order of the answers to a prompt does not matter.",
    change=reverse_answers,
)
SHIFTED = Relation(
    name="rewards_rescaled",
    says="Another scale and offset of all rewards changes nothing.",
    change=shift,
)
MORE = Relation(
    name="batch_repeated",
    says="Rows that come after a full batch change nothing.",
    change=doubled_batch,
)


def literal(name, rewards, target_prompts, kept, need_more):
    args = {"rewards": torch.tensor(rewards), "target_prompts": target_prompts}
    return Case(name=name, args=args, expected=(torch.tensor(kept, dtype=torch.int64), need_more), visible=True)


def by_hand():
    three = [[1.0] * 4, [1.0, 0.0, 0.0, 1.0], [0.0] * 4]
    yield literal("one_of_three", three, 1, [1], False)
    yield literal("one_is_missing", three, 2, [1], True)
    yield literal("nothing_varies", [[1.0] * 3, [0.0] * 3], 2, [], True)
    yield literal("plus_and_minus", [[-1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [1.0, -1.0]], 4, [0, 3], True)


def surplus(rng):
    varied = randint(rng, 6, 9)
    args = {"rewards": binary(rng, varied), "target_prompts": varied - randint(rng, 2, 3)}
    return Case(name="surplus", args=args, relations=(ANSWERS, SHIFTED, MORE))


def just_enough(rng):
    varied = randint(rng, 4, 6)
    args = {"rewards": binary(rng, varied), "target_prompts": varied}
    return Case(name="just_enough", args=args, relations=(ANSWERS, SHIFTED, MORE))


def shortage(rng):
    """Return fewer mixed prompts than needed, but enough prompts in total, as a view of transposed storage."""
    varied = randint(rng, 3, 5)
    args = {"rewards": binary(rng, varied).T.contiguous().T, "target_prompts": varied + 2}
    return Case(name="shortage", args=args, relations=(ANSWERS, SHIFTED))


def fine_scores(rng):
    """Return scores: rows of one repeated number other than 0 or 1, and rows that differ only in the fourth digit."""
    answers = randint(rng, 4, 7)
    scores = torch.randint(13, 39, (10,), generator=rng) / 64
    rows = [torch.full((answers,), float(score)) for score in scores[:4]]
    rows += [row(answers, float(score), float(score) + 2e-4, 1) for score in scores[4:7]]
    rows += [row(answers, -float(score), 3.0 + float(score), 2) for score in scores[7:]]
    return Case(name="fine_scores", args={"rewards": shuffled(rng, rows), "target_prompts": 8}, relations=(ANSWERS,))


def rounding(rng):
    """Return rows of one repeated number each, most of which differ from their float32 mean, and one mixed row."""
    numbers = [1000.1, 333.7, 100.3, 2000.9, 77.7, 512.3]
    rows = [torch.full((11,), number) for number in numbers] + [row(11, 5.0, 6.0, 4)]
    return Case(name="rounding", args={"rewards": shuffled(rng, rows), "target_prompts": 3})


def last_digits():
    """Return rows that vary only in the last bit, near 0.3, 1e6 and 0, among rows of one repeated number each."""
    rows = []
    for number in (0.3, 1e6, 1e-30):
        same = torch.full((4,), number)
        other = same.clone()
        other[2] = torch.nextafter(same[2], torch.tensor(math.inf))
        rows += [same, other]
    expected = (torch.tensor([1, 3, 5]), False)
    args = {"rewards": torch.stack(rows), "target_prompts": 3}
    return Case(name="last_digits", args=args, expected=expected, visible=True)


def narrow_before_wide():
    """Return four rows that vary, the narrowest before the widest; three are needed, so the first three are kept."""
    rewards = [[0.5, 0.5, 0.5], [0.0, 0.1, 0.0], [0.0, 0.5, 1.0], [1.0, 1.0, 1.0], [0.45, 0.4, 0.4], [5.0, -5.0, 0.0]]
    return literal("narrow_before_wide", rewards, 3, [1, 2, 4], False)


def single_answers():
    """Return prompts with one answer each: the deviation is undefined, and no reward differs from another."""
    return literal("single_answers", [[1.0], [0.0], [0.5]], 1, [], True)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield surplus(rng)
    yield just_enough(rng)
    yield shortage(rng)
    yield fine_scores(rng)
    yield rounding(rng)
    yield last_digits()
    yield narrow_before_wide()
    yield single_answers()
