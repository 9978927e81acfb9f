"""Pairs with prompts of different lengths and answers of different lengths, under random tables of logits."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

VOCABULARY = 9


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def pairs(rng, rows, prompt, answer):
    """Return pairs; `prompt` and `answer` are the ranges of the lengths, and all lengths of a row differ."""
    prompts = torch.randint(prompt[0], prompt[1] + 1, (rows,), generator=rng)
    # The prompts of neighboring rows differ in length, or it would not matter which row a length is used for.
    prompts = torch.where(torch.arange(rows) % 2 == 0, prompts, prompts + prompt[1])
    chosen = torch.randint(answer[0], answer[1] + 1, (rows,), generator=rng)
    rejected = chosen + torch.randint(1, 3, (rows,), generator=rng)
    width = int((prompts + rejected).max()) + 1
    sequences = torch.randint(0, VOCABULARY, (2, rows, width), generator=rng)
    in_prompt = torch.arange(width) < prompts[:, None]
    first, second = sequences
    second = torch.where(in_prompt, first, second)
    # The answers start with the same token, as "Sure" or "The" would, and differ in the second one.
    row = torch.arange(rows)
    second[row, prompts] = first[row, prompts]
    second[row, prompts + 1] = (first[row, prompts + 1] + 1) % VOCABULARY
    return {
        "chosen": first,
        "rejected": second,
        "chosen_lengths": prompts + chosen,
        "rejected_lengths": prompts + rejected,
        "prompt_lengths": prompts,
    }


def case(name, rng, batch, beta=0.2, **more):
    args = {
        "policy": torch.randn(VOCABULARY, VOCABULARY, generator=rng),
        "reference": torch.randn(VOCABULARY, VOCABULARY, generator=rng),
        "batch": batch,
        "beta": beta,
    }
    return Case(name=name, args=args, **{"grads": ("policy",), **more})


def fill_padding(token):
    def change(args):
        batch = dict(args["batch"])
        for side in ("chosen", "rejected"):
            is_padding = torch.arange(batch[side].shape[1]) >= batch[f"{side}_lengths"][:, None]
            batch[side] = batch[side].masked_fill(is_padding, token)
        return {**args, "batch": batch}

    return change


def swap_sides(args):
    """Exchange chosen and rejected answers."""
    batch = args["batch"]
    swapped = {**batch, "chosen": batch["rejected"], "rejected": batch["chosen"]}
    swapped |= {"chosen_lengths": batch["rejected_lengths"], "rejected_lengths": batch["chosen_lengths"]}
    return {**args, "batch": swapped}


PADDING = tuple(
    Relation(f"padding_of_{token}", "The tokens in the padding do not matter.", fill_padding(token))
    for token in (0, VOCABULARY - 1)
)
SWAPPED = Relation(
    "sides_exchanged",
    "Exchanging the answers of every pair exchanges the rewards.",
    swap_sides,
    expect=lambda out: {"chosen_rewards": out["rejected_rewards"], "rejected_rewards": out["chosen_rewards"]},
)


def one_pair():
    """Return the statement's example: token 1 has a probability of 3/4 under the policy and 1/2 under the reference."""
    args = {
        "policy": torch.tensor([[0.0, math.log(3)], [0.0, math.log(3)]]),
        "reference": torch.zeros(2, 2),
        "batch": {
            "chosen": torch.tensor([[0, 1, 1]]),
            "rejected": torch.tensor([[0, 1, 0]]),
            "chosen_lengths": torch.tensor([3]),
            "rejected_lengths": torch.tensor([3]),
            "prompt_lengths": torch.tensor([2]),
        },
        "beta": 1.0,
    }
    chosen, rejected = math.log(1.5), math.log(0.5)
    rewards = [torch.tensor([reward], dtype=torch.float64) for reward in (chosen, rejected)]
    # The margin is ln 3, and the sigmoid of ln 3 is 3/4.
    return Case("one_pair", args, grads=("policy",), visible=True, expected=(-math.log(0.75), *rewards))


def short_prompts(rng):
    return case("short_prompts", rng, pairs(rng, randint(rng, 4, 6), (1, 2), (2, 4)), relations=(*PADDING, SWAPPED))


def long_prompts(rng):
    return case("long_prompts", rng, pairs(rng, randint(rng, 4, 6), (8, 12), (2, 4)))


def equal_lengths(rng):
    """Return pairs whose prompts all have the same length, so that any order of the prompt lengths is the same."""
    batch = pairs(rng, 4, (3, 3), (2, 4))
    keep = torch.tensor([0, 2])
    return case("equal_lengths", rng, {name: x[keep] for name, x in batch.items()})


def far_apart(rng):
    """Return pairs with margins of about -240 and -320, for which the sigmoid is 0 in float32."""
    step = torch.zeros(VOCABULARY, VOCABULARY)
    step[:, 0] = 80.0
    first, second = torch.tensor([[1, 2, 3, 3, 3], [4, 5, 6, 3, 3]]), torch.tensor([[1, 2, 0, 0, 0], [4, 5, 0, 0, 0]])
    batch = {
        "chosen": first,
        "rejected": second,
        "chosen_lengths": torch.tensor([5, 5]),
        "rejected_lengths": torch.tensor([5, 5]),
        "prompt_lengths": torch.tensor([2, 1]),
    }
    args = {
        "policy": step,
        "reference": torch.randn(VOCABULARY, VOCABULARY, generator=rng),
        "batch": batch,
        "beta": 1.0,
    }
    return Case("far_apart", args, grads=("policy",))


def constants_require_grad(rng):
    """Return a separate case for the rule that the reference receives no gradient although it requires one."""
    return case("constants_require_grad", rng, pairs(rng, 4, (2, 4), (2, 4)), constants=("reference",))


def double_precision(rng):
    drawn = case("double_precision", rng, pairs(rng, 4, (2, 4), (2, 4)))
    args = {**drawn.args, "policy": drawn.args["policy"].double(), "reference": drawn.args["reference"].double()}
    return Case("double_precision", args, grads=("policy",))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_pair()
    yield short_prompts(rng)
    yield long_prompts(rng)
    yield equal_lengths(rng)
    yield far_apart(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
