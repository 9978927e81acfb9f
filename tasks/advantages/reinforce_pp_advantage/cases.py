"""Answers differ in length, level and KL, so that statistics per row, per prompt, with padding and per batch differ."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def spread_rewards(rng, prompts, answers):
    """Return rewards whose level and spread differ between prompts, in a random order within each prompt."""
    steps = torch.arange(answers) + rand(rng, prompts, answers, low=0.0, high=0.5)
    order = torch.rand(prompts, answers, generator=rng).argsort(dim=1)
    place = torch.arange(prompts)[:, None]
    return 0.5 * place + (1 + place) * 0.4 * steps.gather(1, order)


def batch(rng, prompts, answers, steps):
    """Return ragged answers; row 0 is full except for a gap, row 1 has one token, row 2 has none."""
    rows = prompts * answers
    lengths = torch.randint(3, steps - 2, (rows,), generator=rng)
    lengths[0], lengths[1], lengths[2] = steps, 1, 0
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, 2:4] = False
    kl = rand(rng, rows, steps, low=0.1, high=0.7)
    kl[:, 1::3] *= -0.5
    return {"rewards": spread_rewards(rng, prompts, answers), "kl": kl, "mask": mask, "beta": 0.5}


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    spread = poison[torch.arange(args["kl"].numel()).reshape(args["kl"].shape) % 3]
    return {**args, "kl": torch.where(args["mask"], args["kl"], spread)}


def widen(args):
    """Return the batch with two more masked columns."""
    more = torch.ones(len(args["kl"]), 2)
    return {**args, "kl": torch.cat([args["kl"], more], 1), "mask": torch.cat([args["mask"], more < 0], 1)}


def reverse(args):
    """Return the batch with prompts and answers in reverse order."""
    flipped = {"rewards": args["rewards"].flip(0, 1), "kl": args["kl"].flip(0), "mask": args["mask"].flip(0)}
    return {**args, **flipped}


def shift_prompts(args):
    """Return the batch with a different constant added to the rewards of each prompt."""
    return {**args, "rewards": args["rewards"] + 0.5 * torch.arange(len(args["rewards"]))[:, None]}


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
WIDER = Relation(
    name="padding_widened",
    says="More padding behind the rows only adds zeros.",
    change=widen,
    expect=lambda out: {"adv": torch.nn.functional.pad(out["adv"], (0, 2))},
)
REVERSED = Relation(
    name="answers_reversed",
    says="An answer keeps its advantages, wherever it stands in the batch.",
    change=reverse,
    expect=lambda out: {"adv": out["adv"].flip(0)},
)
SHIFTED = Relation(
    name="rewards_shifted",
    says="A constant added to all rewards changes nothing.",
    change=lambda args: {**args, "rewards": args["rewards"] + 0.5},
)
DOUBLED = Relation(
    name="rewards_and_penalty_doubled",
    says="Twice the rewards and twice the KL coefficient change nothing.",
    change=lambda args: {**args, "rewards": 2 * args["rewards"], "beta": 2 * args["beta"]},
)
PROMPTS_SHIFTED = Relation(
    name="prompts_shifted",
    says="With the baseline, a constant added to all rewards of a prompt changes nothing.",
    change=shift_prompts,
)


def literal(name, rewards, kl, mask, expected, **more):
    args = {"rewards": torch.tensor(rewards), "kl": torch.tensor(kl), "mask": torch.tensor(mask, dtype=torch.bool)}
    return Case(name=name, args={**args, **more}, expected=expected, visible=True)


def normalized(returns):
    """Return the numbers minus their mean, divided by their standard deviation; for the results computed by hand."""
    mean = sum(returns) / len(returns)
    spread = math.sqrt(sum((number - mean) ** 2 for number in returns) / (len(returns) - 1))
    return [(number - mean) / spread for number in returns]


def by_hand():
    a, b, c, d, e = normalized([0.7, 0.8, 0.85, -0.3, -0.1])
    kl = [[0.2, 0.1, 0.3], [0.4, 0.2, 9.0]]
    yield literal("two_answers", [[1.0, 0.0]], kl, [[1, 1, 1], [1, 1, 0]], [[a, b, c], [d, e, 0.0]], beta=0.5)
    # The centered rewards are +-0.5 and 0.25, 0.25, 0.25, -0.75. Their squares sum to 1.75, so the variance is 0.25.
    rewards, wanted = [[1.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 0.0]], [1.0, -1.0, -1.0, 1.0, 0.5, 0.5, 0.5, -1.5]
    ones, column = [[1]] * 8, [[number] for number in wanted]
    yield literal("one_token_each", rewards, [[0.25]] * 8, ones, column, beta=0.0, baseline=True)
    # The gap does not end the return of the tokens before it, and its KL does not count.
    first, last, other = normalized([1.0, 1.5, 0.0])
    kl, mask = [[0.5, 7.0, 0.5], [2.0, 7.0, 7.0]], [[1, 0, 1], [1, 0, 0]]
    yield literal("tool_output", [[2.0], [2.0]], kl, mask, [[first, 0.0, last], [other, 0.0, 0.0]], beta=1.0)
    # Two returns that differ by 1 have the standard deviation 1 / sqrt(2).
    half, kl, mask = 1 / math.sqrt(2), [[0.5, 0.25], [0.5, 0.75]], [[0, 1], [1, 0]]
    yield literal("two_tokens", [[1.0, 0.0]], kl, mask, [[0.0, half], [-half, 0.0]], beta=0.0)


def degenerate():
    """Return batches whose advantages are all 0."""
    kl = [[0.5, 0.25], [0.5, 0.75]]
    zeros = [[0.0, 0.0], [0.0, 0.0]]
    yield literal("equal_returns", [[0.5, 0.5]], kl, [[1, 1], [1, 0]], zeros, beta=0.0)
    solved = [[0.5], [0.25], [0.5], [0.75]]
    yield literal("equal_groups", [[1.0, 1.0], [0.0, 0.0]], solved, [[1]] * 4, [[0.0]] * 4, beta=0.0, baseline=True)
    yield literal("one_token", [[1.0], [0.0]], kl, [[0, 0], [1, 0]], zeros, beta=0.5)
    yield literal("no_tokens", [[1.0, 0.0]], kl, [[0, 0], [0, 0]], zeros, beta=0.5, baseline=True)


def plain(rng):
    args = batch(rng, randint(rng, 3, 4), randint(rng, 3, 4), randint(rng, 9, 12))
    return Case("plain", args, relations=(PADDING, WIDER, REVERSED, SHIFTED, DOUBLED))


def with_baseline(rng):
    args = {**batch(rng, randint(rng, 3, 4), randint(rng, 3, 4), randint(rng, 9, 12)), "baseline": True}
    return Case("with_baseline", args, relations=(PADDING, WIDER, REVERSED, PROMPTS_SHIFTED))


def single_answers(rng):
    """Return one answer per prompt with the baseline, so that only the KL penalty is left."""
    args = {**batch(rng, randint(rng, 5, 7), 1, randint(rng, 9, 12)), "baseline": True}
    return Case("single_answers", args, relations=(PADDING, PROMPTS_SHIFTED))


def no_penalty(rng):
    args = {**batch(rng, 3, 4, randint(rng, 9, 12)), "beta": 0.0}
    return Case("no_penalty", args, relations=(PADDING, REVERSED))


def transposed(rng):
    """Return a case whose tensors are views of transposed storage."""
    args = {**batch(rng, 4, 3, randint(rng, 9, 12)), "baseline": True}
    args = {name: x.T.contiguous().T if isinstance(x, torch.Tensor) else x for name, x in args.items()}
    return Case("transposed", args, relations=(PADDING,))


def inputs_require_grad(rng):
    args = batch(rng, 3, 4, randint(rng, 9, 12))
    return Case("inputs_require_grad", args, constants=("rewards", "kl"))


def double_precision(rng):
    args = batch(rng, 3, 4, randint(rng, 9, 12))
    return Case("double_precision", {**args, "rewards": args["rewards"].double(), "kl": args["kl"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield from degenerate()
    yield plain(rng)
    yield with_baseline(rng)
    yield single_answers(rng)
    yield no_penalty(rng)
    yield transposed(rng)
    yield inputs_require_grad(rng)
    yield double_precision(rng)
