"""Rows differ in length by a factor of up to ten, so that every wrong divisor is far from the right one."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def microbatch(rng, prompt, answers):
    """Return one microbatch; each row has the prompt, its number of answer tokens, and two or more padding tokens."""
    counts = torch.tensor(answers)[:, None]
    steps = torch.arange(prompt + max(answers) + 2)
    scale = 0.5 + 1.5 * torch.rand(len(answers), 1, 1, generator=rng)
    inputs = scale * torch.randn(len(answers), len(steps), 3, generator=rng) + 0.6
    attention = steps < prompt + counts
    return {"inputs": inputs, "attention_mask": attention, "loss_mask": attention & (steps >= prompt)}


def split_rows(args):
    rows = [
        {name: x[place : place + 1] for name, x in batch.items()}
        for batch in args["microbatches"]
        for place in range(len(batch["inputs"]))
    ]
    return {**args, "microbatches": rows}


SPLIT = Relation(
    name="rows_split",
    says="Microbatches of single rows give the same step.",
    change=split_rows,
)
REVERSED = Relation(
    name="microbatches_reversed",
    says="The order of the microbatches does not matter.",
    change=lambda args: {**args, "microbatches": args["microbatches"][::-1]},
)


def case(name, rng, shapes, mode, L_norm=None, max_norm=None):
    args = {
        "weight": torch.randn(3, 4, generator=rng) + 0.3,
        "head": 1 + torch.rand(4, generator=rng),
        "microbatches": [microbatch(rng, randint(rng, 2, 4), answers) for answers in shapes],
        "mode": mode,
        "L_norm": L_norm,
        "max_norm": max_norm,
    }
    return Case(name=name, args=args, relations=(SPLIT, REVERSED))


def four_tokens():
    """Return tokens whose loss is tanh(atanh(x)) times 5: 1, then 2, 3 and 4."""
    first, second = torch.tensor([[[0.2], [0.6]]]).atanh(), torch.tensor([[[0.4], [0.6], [0.8]]]).atanh()
    yes, no = [[True, True], [True, True, True]], [[True, False], [True, True, True]]
    batches = [
        {"inputs": x, "attention_mask": torch.tensor([a]), "loss_mask": torch.tensor([b])}
        for x, a, b in zip((first, second), yes, no, strict=True)
    ]
    args = {"weight": torch.ones(1, 1), "head": torch.tensor([5.0]), "microbatches": batches}
    # d/d head is the mean of 0.2, 0.4, 0.6, 0.8; d/d weight is the mean of 5 (1 - y^2) atanh(y).
    y = torch.tensor([0.2, 0.4, 0.6, 0.8], dtype=torch.float64)
    slope = (5 * (1 - y**2) * y.atanh()).mean()
    expected = {
        "loss": 2.5,
        "grad_norm": (slope**2 + 0.25).sqrt(),
        "gradients": {"weight": slope.reshape(1, 1), "head": torch.tensor([0.5], dtype=torch.float64)},
        "has_one_graph_at_a_time": True,
        "loss_is_detached": True,
    }
    args |= {"mode": "token-mean", "L_norm": None, "max_norm": None}
    return Case(name="four_tokens", args=args, visible=True, expected=expected)


def uneven(rng):
    """Return rows of four microbatches: the first has few tokens in many rows, the second has no counted tokens."""
    return [[randint(rng, 1, 2), 1, 2], [0, 0], [randint(rng, 14, 20), 0], [randint(rng, 5, 7)]]


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield four_tokens()
    yield case("token_mean", rng, uneven(rng), "token-mean")
    yield case("row_means", rng, uneven(rng), "seq-mean-token-mean")
    yield case("row_sums", rng, uneven(rng), "seq-mean-token-sum-norm", L_norm=float(randint(rng, 25, 40)))
    yield case("clipped", rng, uneven(rng), "token-mean", max_norm=0.05)
    yield case("even", rng, [[4, 4], [4, 4], [4, 4]], "seq-mean-token-mean", max_norm=1e6)
