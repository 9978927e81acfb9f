"""The pass rates differ between rows, so that a mean over the batch gives different results."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, prompts, answers):
    """Return rows with 1, 2, 3, ... correct answers, shuffled within each row, and none in the last row."""
    right = torch.arange(1, prompts + 1)
    right[-1] = 0
    success = torch.arange(answers) < right[:, None]
    order = torch.rand(prompts, answers, generator=rng).argsort(dim=1)
    return success.gather(1, order)


PERMUTED = Relation(
    name="answers_reversed",
    says="An answer keeps its advantage, wherever it stands in its row.",
    change=lambda args: {"success": args["success"].flip(1)},
    expect=lambda out: {"adv": out["adv"].flip(1)},
)
ALONE = Relation(
    name="one_prompt_alone",
    says="A prompt's advantages do not depend on the other prompts of the batch.",
    change=lambda args: {"success": args["success"][1:2].clone()},
    expect=lambda out: {"adv": out["adv"][1:2]},
)
REPEATED = Relation(
    name="answers_repeated",
    says="Repeating every answer leaves its advantage as it is: only the pass rate matters, not the number of answers.",
    change=lambda args: {"success": args["success"].repeat(1, 2)},
    expect=lambda out: {"adv": out["adv"].repeat(1, 2)},
)


def literal(name, success, expected):
    args = {"success": torch.tensor(success, dtype=torch.bool)}
    return Case(name=name, args=args, expected=expected, visible=True)


def by_hand():
    # The mean is 1/4: (1 - 1/4) / (1/4) = 3, and (0 - 1/4) / (1/4) = -1.
    yield literal("one_in_four", [[1, 0, 0, 0]], [[3.0, -1.0, -1.0, -1.0]])
    yield literal("one_in_eight", [[0] * 5 + [1] + [0] * 2], [[-1.0] * 5 + [7.0] + [-1.0] * 2])
    third = 1 / 3
    yield literal("half_and_more", [[1, 0, 0, 1], [1, 1, 0, 1]], [[1.0, -1.0, -1.0, 1.0], [third, third, -1.0, third]])
    yield literal("none_right", [[0, 0, 0], [0, 1, 0]], [[0.0, 0.0, 0.0], [-1.0, 2.0, -1.0]])
    yield literal("all_right", [[1, 1, 1], [1, 0, 0]], [[0.0, 0.0, 0.0], [2.0, -1.0, -1.0]])
    yield literal("single_answers", [[1], [0], [1]], [[0.0], [0.0], [0.0]])


def rare_success(rng):
    """Return two correct answers among many; G is odd, so a correct answer's advantage is half an odd number."""
    answers = 2 * randint(rng, 50, 150) + 1
    success = torch.randperm(answers, generator=rng)[None] < 2
    return Case(name="rare_success", args={"success": success}, relations=(PERMUTED, REPEATED))


def many_prompts(rng):
    success = batch(rng, randint(rng, 4, 6), randint(rng, 8, 10))
    return Case(name="many_prompts", args={"success": success}, relations=(PERMUTED, ALONE, REPEATED))


def transposed(rng):
    """Return as many prompts as answers per prompt, as a view of transposed storage."""
    size = randint(rng, 6, 8)
    success = batch(rng, size, size).T.contiguous().T
    return Case(name="transposed", args={"success": success}, relations=(ALONE,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield rare_success(rng)
    yield many_prompts(rng)
    yield transposed(rng)
