"""The first experts are preferred, so that some experts are full and others are not."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

EXPERTS = 8


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def draw(rng, real=21):
    """Return probabilities and a mask with this number of real tokens.

    The second and third token are padding. The last token is real and chooses the most and the least popular expert.
    """
    tokens = randint(rng, real + 4, real + 6)
    logits = 2.0 * torch.rand(tokens, EXPERTS, generator=rng) - 0.35 * torch.arange(EXPERTS)
    probs = logits.softmax(dim=1)
    probs[-1] = torch.tensor([0.4, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.33])
    mask = torch.zeros(tokens, dtype=torch.bool)
    mask[3 + torch.randperm(tokens - 4, generator=rng)[: real - 2]] = True
    mask[0] = mask[-1] = True
    return {"probs": probs, "mask": mask}


def poison(args):
    junk = torch.tensor([math.nan, 1e9, -1e9, 0.5])
    places = torch.arange(args["probs"].numel()).reshape(args["probs"].shape)
    return {**args, "probs": torch.where(args["mask"][:, None], args["probs"], junk[places % 4])}


def pad(args):
    """Return the arguments with three padded tokens at the front."""
    probs = torch.cat([torch.full((3, args["probs"].shape[1]), 0.125), args["probs"]])
    return {**args, "probs": probs, "mask": torch.cat([torch.zeros(3, dtype=torch.bool), args["mask"]])}


PADDING = Relation(name="padding_poisoned", says="NaN, 1e9 and -1e9 at padded tokens change nothing.", change=poison)
FRONT = Relation(
    name="padding_in_front",
    says="Padding in front of the tokens takes no capacity.",
    change=pad,
    expect=lambda out: {
        "combine": torch.cat([torch.zeros_like(out["combine"][:3]), out["combine"]]),
        "dropped": torch.cat([torch.zeros_like(out["dropped"][:3]), out["dropped"]]),
    },
)
REVERSED = Relation(
    name="tokens_reversed",
    says="With `probs`, the order of the tokens does not matter.",
    change=lambda args: {**args, "probs": args["probs"].flip(0), "mask": args["mask"].flip(0)},
    expect=lambda out: {name: out[name].flip(0) for name in ("combine", "dispatch", "dropped")},
)
ROOMY = Relation(
    name="policy_without_drops",
    says="If nothing is dropped, the policy does not matter.",
    change=lambda args: {**args, "policy": "probs"},
)


def case(name, args, k, cf, policy, **more):
    args = {**args, "k": k, "cf": cf, "policy": policy}
    return Case(name=name, args=args, **{"grads": ("probs",), **more})


def by_hand(name, probs, k, cf, policy, combine, dropped, mask=None, **more):
    probs, dispatch = torch.tensor(probs), [[weight > 0 for weight in row] for row in combine]
    args = {"probs": probs, "mask": torch.ones(len(probs), dtype=torch.bool) if mask is None else torch.tensor(mask)}
    expected = {"combine": combine, "dispatch": dispatch, "dropped": dropped}
    return case(name, args, k, cf, policy, visible=True, expected=expected, **more)


def literals():
    probs = [[0.6, 0.4], [0.9, 0.1], [0.7, 0.3], [0.2, 0.8]]
    first = [[0.6, 0.0], [0.9, 0.0], [0.0, 0.0], [0.0, 0.8]]
    yield by_hand("four_by_position", probs, 1, 1.0, "position", first, [0, 0, 1, 0])
    likely = [[0.0, 0.0], [0.9, 0.0], [0.7, 0.0], [0.0, 0.8]]
    yield by_hand("four_by_probs", probs, 1, 1.0, "probs", likely, [1, 0, 0, 0])
    # Two real tokens with two choices each, and four experts: the capacity is 1.
    probs = [[0.5, 0.3, 0.1, 0.1], [math.nan] * 4, [0.6, 0.1, 0.2, 0.1]]
    mask, zeros = [True, False, True], [0.0] * 4
    kept = [[0.5, 0.3, 0.0, 0.0], zeros, [0.0, 0.0, 0.2, 0.0]]
    yield by_hand("padding_by_position", probs, 2, 1.0, "position", kept, [0, 0, 1], mask)
    kept = [[0.0, 0.3, 0.0, 0.0], zeros, [0.6, 0.0, 0.2, 0.0]]
    yield by_hand("padding_by_probs", probs, 2, 1.0, "probs", kept, [1, 0, 0], mask)
    # 3 * 1 / 2 * 0.75 = 1.125, rounded up to 2
    probs = [[0.7, 0.3], [0.6, 0.4], [0.8, 0.2]]
    kept = [[0.7, 0.0], [0.6, 0.0], [0.0, 0.0]]
    yield by_hand("rounded_up", probs, 1, 0.75, "position", kept, [0, 0, 1])
    yield by_hand("capacity_above_tokens", probs, 1, 4.0, "position", [[0.7, 0], [0.6, 0], [0.8, 0]], [0] * 3)
    # A new router: every token chooses experts 0 and 1, and each of them keeps three tokens: 4 * 2 / 32 * 12 = 3.
    equal, rest = 1 / 32, [0.0] * 30
    kept = [[equal, equal, *rest]] * 3 + [[0.0, 0.0, *rest]]
    yield by_hand("equal_probs", [[equal] * 32] * 4, 2, 12.0, "probs", kept, [0, 0, 0, 2], grads=())


def position(rng):
    """Return a case whose tensors are views of transposed storage."""
    args = {name: x.T.contiguous().T if x.dim() == 2 else x for name, x in draw(rng).items()}
    return case("position", args, 2, 1.25, "position", relations=(PADDING, FRONT))


def by_probs(rng):
    return case("by_probs", draw(rng), 2, 1.25, "probs", relations=(PADDING, FRONT, REVERSED))


def many_choices(rng):
    return case("many_choices", draw(rng), 4, 0.75, "position", relations=(PADDING, FRONT))


def many_choices_by_probs(rng):
    return case("many_choices_by_probs", draw(rng), 4, 0.75, "probs", relations=(PADDING, FRONT, REVERSED))


def nothing_dropped(rng):
    return case("nothing_dropped", draw(rng), 2, float(EXPERTS), "position", relations=(PADDING, FRONT, ROOMY))


def no_tokens(rng):
    args = draw(rng)
    mask = torch.zeros_like(args["mask"])
    zeros = torch.zeros_like(args["probs"])
    expected = {"combine": zeros, "dispatch": zeros.bool(), "dropped": torch.zeros(len(mask), dtype=torch.long)}
    return case("no_tokens", {**args, "mask": mask}, 2, 1.0, "probs", relations=(PADDING,), expected=expected)


def double_precision(rng):
    args = draw(rng)
    return case("double_precision", {**args, "probs": args["probs"].double()}, 3, 0.75, "position")


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield position(rng)
    yield by_probs(rng)
    yield many_choices(rng)
    yield many_choices_by_probs(rng)
    yield nothing_dropped(rng)
    yield no_tokens(rng)
    yield double_precision(rng)
