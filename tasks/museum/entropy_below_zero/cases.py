"""Answers of different lengths under random logits, with garbage in the padding."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

VOCABULARY = 6


def has_unequal_means(args):
    """Return whether the mean over the tokens differs from the mean over the answers, or cannot."""
    logprobs = args["logits"].log_softmax(dim=-1).gather(-1, args["tokens"][..., None]).squeeze(-1)
    answers = [row[counts] for row, counts in zip(logprobs, args["mask"], strict=True)]
    gap = torch.cat(answers).mean() - torch.stack([answer.mean() for answer in answers]).mean()
    return gap.abs() > 0.02 or len({len(answer) for answer in answers}) == 1


def case(name, rng, lengths, width, spread=1.0, certain=(), is_greedy=False, **more):
    """Return a batch with answers of these lengths, padded to `width`.

    `spread` scales the policy's logits, and `is_greedy` takes the likeliest tokens. The policy is certain of the tokens
    at the places `certain`, whose log-probabilities are exactly 0 in float32.
    """
    rows = len(lengths)
    while True:
        logits = spread * torch.randn(rows, width, VOCABULARY, generator=rng)
        tokens = torch.randint(0, VOCABULARY, (rows, width), generator=rng)
        for row, step in certain:
            logits[row, step, tokens[row, step]] += 200.0
        args = {
            "logits": logits,
            "ref_logits": logits + torch.randn(rows, width, VOCABULARY, generator=rng),
            "tokens": logits.argmax(dim=-1) if is_greedy else tokens,
            "mask": torch.arange(width) < torch.tensor(lengths)[:, None],
            "scores": 2 + torch.rand(rows, generator=rng),
            "kl_weight": 0.5,
        }
        if has_unequal_means(args):
            return Case(name, args, **more)


def wider(args):
    """Add three columns of padding."""
    rows = len(args["tokens"])
    more = {"tokens": torch.zeros(rows, 3, dtype=torch.int64), "mask": torch.zeros(rows, 3, dtype=torch.bool)}
    more |= {name: args[name].new_ones(rows, 3, VOCABULARY) for name in ("logits", "ref_logits")}
    return {**args, **{name: torch.cat([args[name], columns], dim=1) for name, columns in more.items()}}


def wider_outputs(out):
    rewards = out["rewards"]
    return {**out, "rewards": torch.cat([rewards, rewards.new_zeros(len(rewards), 3)], dim=1)}


WIDER = Relation("more_padding", "More padding changes none of the numbers.", wider, expect=wider_outputs)


def two_answers():
    """Return the statement's example: token 1 has a probability of 3/4 under the policy and 1/2 under the reference."""
    logits = torch.tensor([0.0, math.log(3)]).expand(2, 3, 2).clone()
    args = {
        "logits": logits,
        "ref_logits": torch.zeros(2, 3, 2),
        "tokens": torch.tensor([[1, 0, 0], [1, 1, 1]]),
        "mask": torch.tensor([[True, False, False], [True, True, False]]),
        "scores": torch.tensor([2.0, 1.0]),
        "kl_weight": 1.0,
    }
    step = math.log(3 / 2)
    rewards = torch.tensor([[2 - step, 0.0, 0.0], [-step, 1 - step, 0.0]], dtype=torch.float64)
    numbers = [torch.tensor(number, dtype=torch.float64) for number in (1.5 * step, math.log(4 / 3))]
    return Case("two_answers", args, visible=True, expected=(rewards, *numbers))


def no_padding(rng):
    return case("no_padding", rng, (4, 4, 4), 4)


def different_lengths(rng):
    return case("different_lengths", rng, (2, 7, 4), 7, relations=(WIDER,))


def mostly_padding(rng):
    """Return answers that are much shorter than the width."""
    return case("mostly_padding", rng, (1, 3, 2), 20, relations=(WIDER,))


def certain_tokens(rng):
    return case("certain_tokens", rng, (3, 6), 8, certain=((0, 1), (1, 0), (1, 4)))


def peaked_policy(rng):
    """Return the likeliest tokens of a policy, so the padding's marks outweigh them in the starter."""
    return case("peaked_policy", rng, (5, 2, 3), 9, spread=3.0, is_greedy=True)


def garbage_in_padding(rng):
    """Return logits that are NaN or infinite in the padding."""
    drawn = case("garbage_in_padding", rng, (3, 1, 5), 7)
    args = dict(drawn.args)
    for name, number in (("logits", math.nan), ("ref_logits", math.inf)):
        args[name] = args[name].masked_fill(~args["mask"][..., None], number)
    return Case("garbage_in_padding", args)


def double_precision(rng):
    drawn = case("double_precision", rng, (2, 5), 6)
    args = {name: x.double() if name in {"logits", "ref_logits", "scores"} else x for name, x in drawn.args.items()}
    return Case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_answers()
    yield no_padding(rng)
    yield different_lengths(rng)
    yield mostly_padding(rng)
    yield certain_tokens(rng)
    yield peaked_policy(rng)
    yield garbage_in_padding(rng)
    yield double_precision(rng)
