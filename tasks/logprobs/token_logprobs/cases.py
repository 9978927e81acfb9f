"""Logits are within a few units of each other, so that the definition decides a case, not rounding."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, rows, steps):
    """Return logits and tokens; adjacent tokens differ, so that using the wrong one is detected."""
    words = randint(rng, 7, 11)
    logits = 4 * torch.rand(rows, steps, words, generator=rng) - 2
    strides = torch.randint(1, words, (rows, steps), generator=rng)
    return {"logits": logits, "tokens": strides.cumsum(1) % words}


def other_ends(args):
    """Return the batch with different logits at the last position and a different first token."""
    args["logits"][:, -1] = args["logits"][:, -1].flip(-1) + 1
    words = args["logits"].shape[-1]
    args["tokens"][:, 0] = (args["tokens"][:, 0] + 1) % words
    return args


def shift(args):
    return {**args, "logits": args["logits"] + torch.arange(args["logits"].shape[1])[:, None] / 4}


def rename_words(args):
    """Return the batch with the vocabulary in reverse order."""
    words = args["logits"].shape[-1]
    return {**args, "logits": args["logits"].flip(-1), "tokens": words - 1 - args["tokens"]}


ENDS = Relation(
    name="ends_replaced",
    says="The logits of the last position and the first token of each row make no difference.",
    change=other_ends,
)
SHIFTED = Relation(
    name="logits_shifted",
    says="A constant added to all logits of a position changes nothing.",
    change=shift,
)
RENAMED = Relation(
    name="words_renamed",
    says="The order of the words in the vocabulary does not matter.",
    change=rename_words,
    expect=lambda out: {**out, "grad.logits": out["grad.logits"].flip(-1)},
)


def one_word(name, temperature, expected):
    logits = torch.tensor([[[1.0, 2.0, 0.5], [0.0, 0.0, 0.0]]])
    args = {"logits": logits, "tokens": torch.tensor([[2, 1]]), "temperature": temperature}
    return Case(name=name, args=args, grads=("logits",), expected=[[expected]], visible=True)


def plain():
    # Relative to the largest logit, the three are e^-1, 1 and e^-1.5.
    return one_word("plain", 1.0, -math.log(math.exp(-1) + 1 + math.exp(-1.5)))


def sharpened():
    # Halving the temperature doubles every distance.
    return one_word("sharpened", 0.5, -math.log(math.exp(-2) + 1 + math.exp(-3)))


def huge_logits():
    # The largest logit has all the probability; the other log-probabilities are as far below it as their logits.
    rows = [[1e4, -1e4, 0.0], [-1e4, -9e3, -1e4], [5.0, 1e4, 2.5], [0.0, 0.0, 0.0]]
    args = {"logits": torch.tensor([rows]), "tokens": torch.tensor([[1, 1, 1, 0]])}
    return Case(name="huge_logits", args=args, grads=("logits",), expected=[[-2e4, 0.0, -9995.0]])


def random_batch(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 6, 9))
    return Case(name="random_batch", args=args, grads=("logits",), relations=(ENDS, SHIFTED, RENAMED))


def transposed(rng):
    """Return a case whose tensors are views of storage in which the steps come first."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 6, 9))
    args = {name: x.transpose(0, 1).contiguous().transpose(0, 1) for name, x in args.items()}
    return Case(name="transposed", args={**args, "temperature": 0.7}, grads=("logits",), relations=(SHIFTED,))


def half_precision(rng):
    args = batch(rng, randint(rng, 2, 4), randint(rng, 6, 9))
    return Case(name="half_precision", args={**args, "logits": args["logits"].bfloat16(), "temperature": 1.3})


def forbidden_words(rng):
    """Return a case in which each position forbids two words, never the one that follows."""
    args = batch(rng, randint(rng, 2, 4), randint(rng, 6, 9))
    words = args["logits"].shape[-1]
    following = args["tokens"].roll(-1, 1)
    for step in (1, 3):
        args["logits"].scatter_(-1, ((following + step) % words)[..., None], -math.inf)
    return Case(name="forbidden_words", args=args, grads=("logits",))


def all_near_1e4():
    """Return two tokens near 1e4 and near -1e4.

    At this distance, the log of the normalizer is exact in float32, so subtracting it from the logits loses no digits.
    """
    distance = 1521 / 1024
    rows = [[1e4, 1e4 - distance], [-1e4 - distance, -1e4], [0.0, 0.0]]
    args = {"logits": torch.tensor([rows]), "tokens": torch.tensor([[0, 0, 0]])}
    likely = -math.log1p(math.exp(-distance))
    return Case(name="all_near_1e4", args=args, grads=("logits",), visible=True, expected=[[likely, likely - distance]])


def timed(rng):
    """Return logits over a vocabulary of realistic size for timing; the gradient is computed as well."""
    shape = (1, 16, 32_000)
    logits, tokens = torch.randn(shape, generator=rng), torch.randint(0, shape[2], shape[:2], generator=rng)
    return Case(name="timed", args={"logits": logits, "tokens": tokens}, grads=("logits",))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield plain()
    yield sharpened()
    yield huge_logits()
    yield random_batch(rng)
    yield transposed(rng)
    yield half_precision(rng)
    yield forbidden_words(rng)
    yield all_near_1e4()
