"""The scale of the logits differs between positions, so that entropies range from nearly 0 to nearly log V."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng):
    """Return logits whose scale falls along each row, and a mask; row 0 has a gap, row 1 a single position."""
    rows, steps, words = randint(rng, 3, 5), randint(rng, 7, 10), randint(rng, 6, 9)
    scale = torch.linspace(4.0, 0.5, steps)[:, None]
    logits = scale * (2 * torch.rand(rows, steps, words, generator=rng) - 1)
    lengths = torch.randint(3, steps - 1, (rows,), generator=rng)
    lengths[0], lengths[1] = steps - 1, 1
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, 2] = False
    return {"logits": logits, "mask": mask}


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9, math.inf])
    spread = poison[torch.arange(args["logits"].numel()).reshape(args["logits"].shape) % 4]
    return {**args, "logits": torch.where(args["mask"][..., None], args["logits"], spread)}


def shift(args):
    return {**args, "logits": args["logits"] + torch.arange(args["logits"].shape[-2])[:, None] / 4}


def as_one_row(args):
    words = args["logits"].shape[-1]
    return {"logits": args["logits"].reshape(-1, words), "mask": args["mask"].reshape(-1)}


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9, -1e9 and infinity at masked places change nothing.",
    change=poison_padding,
)
SHIFTED = Relation(
    name="logits_shifted",
    says="A constant added to all logits of a place changes nothing.",
    change=shift,
)
RENAMED = Relation(
    name="words_renamed",
    says="The order of the words in the vocabulary does not matter.",
    change=lambda args: {**args, "logits": args["logits"].flip(-1)},
    expect=lambda out: {**out, "grad.logits": out["grad.logits"].flip(-1)},
)
ONE_ROW = Relation(
    name="as_one_row",
    says="How the places are laid out in dimensions does not matter.",
    change=as_one_row,
    expect=lambda out: {"mean": out["mean"], "per_token": out["per_token"].reshape(-1)},
)


def case(name, logits, mask=None, **more):
    return Case(name=name, args={"logits": logits, "mask": mask}, grads=("logits",), **more)


def by_hand():
    # H = log Z - sum p z, with Z = e + e^2 + e^0.5.
    weights = [math.exp(z) for z in (1, 2, 0.5)]
    total = sum(weights)
    entropy = math.log(total) - sum(w * z for w, z in zip(weights, (1, 2, 0.5), strict=True)) / total
    yield case("one_place", torch.tensor([1.0, 2.0, 0.5]), expected=(entropy, entropy), visible=True)
    places = torch.tensor([[3.0] * 4, [0.0, 100.0, 0.0, 0.0]])
    yield case("even_and_certain", places, expected=(math.log(4) / 2, [math.log(4), 0.0]), visible=True)
    # Two tokens remain, with odds of 3 to 1; then a single one.
    rare = -math.inf
    forbidden = torch.tensor([[rare, math.log(3.0), rare, 0.0], [rare, rare, 5.0, rare]])
    entropy = -0.75 * math.log(0.75) - 0.25 * math.log(0.25)
    yield case("forbidden_words", forbidden, expected=(entropy / 2, [entropy, 0.0]), visible=True)
    # One token has all the probability, however large the logits are; with equal ones, the last bit of 1e4 would
    # matter.
    huge = torch.tensor([[1e4, 0.0, -1e4], [-1e4, -1e4, -9e3]])
    yield case("huge_logits", huge, expected=(0.0, [0.0, 0.0]))
    # Two tokens near 1e4, and near -1e4. At this distance, the log of the normalizer is exact in float32, so
    # subtracting it from the logits loses no digits.
    distance = 1521 / 1024
    near = torch.tensor([[1e4, 1e4 - distance], [-1e4 - distance, -1e4]])
    other = math.exp(-distance) / (1 + math.exp(-distance))
    entropy = math.log1p(math.exp(-distance)) + distance * other
    yield case("all_near_1e4", near, expected=(entropy, [entropy, entropy]), visible=True)


def ragged(rng):
    args = batch(rng)
    return case("ragged", **args, relations=(PADDING, SHIFTED, RENAMED, ONE_ROW))


def transposed(rng):
    """Return a case whose tensors are views of storage in which the steps come first."""
    args = {name: x.transpose(0, 1).contiguous().transpose(0, 1) for name, x in batch(rng).items()}
    return case("transposed", **args, relations=(PADDING, SHIFTED))


def without_mask(rng):
    return case("without_mask", batch(rng)["logits"], relations=(SHIFTED, RENAMED))


def half_precision(rng):
    args = batch(rng)
    return Case(name="half_precision", args={**args, "logits": args["logits"].bfloat16()})


def no_places(rng):
    args = batch(rng)
    mask = torch.zeros_like(args["mask"])
    nothing = torch.zeros(mask.shape, dtype=torch.float64)
    return case("no_places", args["logits"], mask, relations=(PADDING,), expected=(0.0, nothing))


def forbidden_beside_low():
    """Return a forbidden token and two near -1e4; at this distance, the log of the normalizer is exact in float32."""
    distance = 1521 / 1024
    logits = torch.tensor([[-math.inf, -1e4 - distance, -1e4]])
    other = math.exp(-distance) / (1 + math.exp(-distance))
    entropy = math.log1p(math.exp(-distance)) + distance * other
    return case("forbidden_beside_low", logits, expected=(entropy, [entropy]), visible=True)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield ragged(rng)
    yield transposed(rng)
    yield without_mask(rng)
    yield half_precision(rng)
    yield no_places(rng)
    yield forbidden_beside_low()
