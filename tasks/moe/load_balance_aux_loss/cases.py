"""Logits of a token are at least a tenth apart; some experts are preferred, so that the load is uneven."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

EXPERTS = 6
# Probabilities of the two tokens worked out by hand.
FIRST, SECOND = (0.5, 0.3, 0.2), (0.6, 0.1, 0.3)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def draw_logits(rng, rows, steps):
    """Return logits in random order; most rows prefer the first experts, and every third row prefers the last ones."""
    noise = torch.rand(rows, steps, EXPERTS, generator=rng) - 0.3 * torch.arange(EXPERTS)
    noise[1::3] = noise[1::3].flip(2)
    ranks = noise.argsort(dim=2).argsort(dim=2)
    gaps = (0.1 + 0.4 * torch.rand(rows, steps, EXPERTS, generator=rng)).cumsum(dim=2)
    return gaps.gather(2, ranks) - 1.0


def draw(rng):
    """Return padded sequences; row 0 is full, and row 1 has a gap."""
    rows, steps = randint(rng, 4, 5), randint(rng, 9, 12)
    lengths = torch.randint(3, 7, (rows,), generator=rng)
    lengths[0] = steps
    mask = torch.arange(steps) < lengths[:, None]
    mask[1, 0] = False
    return {"logits": with_padding(draw_logits(rng, rows, steps), mask), "mask": mask}


def with_padding(logits, mask):
    """Return logits whose padded positions clearly prefer expert 0."""
    return torch.where(mask[..., None], logits, logits + 6.0 * (torch.arange(EXPERTS) == 0))


def draw_with_short_rows(rng):
    """Return padded sequences; row 2 has one token, and row 3 has none."""
    args = draw(rng)
    args["mask"][2:4] = False
    args["mask"][2, 1] = True
    return {**args, "logits": with_padding(args["logits"], args["mask"])}


def count_of(args):
    """Return how many real tokens chose each expert."""
    chosen = args["logits"][args["mask"]].topk(args["k"]).indices
    return torch.bincount(chosen.flatten(), minlength=args["logits"].shape[2])


def poison(args):
    """Return the arguments with NaN and large numbers at padded positions."""
    junk = torch.tensor([math.nan, 1e9, -1e9, 7.0])
    places = torch.arange(args["logits"].numel()).reshape(args["logits"].shape)
    return {**args, "logits": torch.where(args["mask"][..., None], args["logits"], junk[places % 4])}


def widen(args):
    """Return the arguments with three more padded positions."""
    rows, _, experts = args["logits"].shape
    logits = torch.cat([torch.full((rows, 3, experts), 7.0), args["logits"]], dim=1)
    return {**args, "logits": logits, "mask": torch.cat([torch.zeros(rows, 3, dtype=torch.bool), args["mask"]], dim=1)}


def shift(args):
    steps = torch.arange(args["logits"].shape[1])[:, None] % 3
    return {**args, "logits": args["logits"] + steps, "z_coef": 0.0}


PADDING = Relation(name="padding_poisoned", says="NaN, 1e9 and -1e9 at padded positions change nothing.", change=poison)
WIDER = Relation(
    name="padding_added",
    says="More padded positions change nothing.",
    change=widen,
    expect=lambda out: {"loss": out["loss"]},
)
REVERSED = Relation(
    name="sequences_reversed",
    says="The order of the sequences does not matter.",
    change=lambda args: {**args, "logits": args["logits"].flip(0), "mask": args["mask"].flip(0)},
    expect=lambda out: {"loss": out["loss"], "grad.logits": out["grad.logits"].flip(0)},
)
SHIFTED = Relation(
    name="logits_shifted",
    says="Without a z-loss, a number added to all logits of a token changes nothing.",
    change=shift,
)
OWN_COUNTS = Relation(
    name="counts_of_one_rank",
    says="If the global batch is this microbatch, its counts change nothing.",
    change=lambda args: {**args, "global_counts": count_of(args)},
)
AS_BATCH = Relation(
    name="microbatch_of_one_sequence",
    says="If there is only one sequence, `per_sequence` does not matter.",
    change=lambda args: {**args, "per_sequence": False},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logits",), **more)


def by_hand(name, probs, expected, shifts=(0.0, 0.0), relations=(), **options):
    """Return one token per sequence, followed by padding; the logsumexp of a token's logits is its shift."""
    tokens = torch.tensor(probs).log() + torch.tensor(shifts[: len(probs)])[:, None]
    logits = torch.stack([tokens, torch.full_like(tokens, 3.0)], dim=1)
    mask = torch.tensor([[True, False]]).expand(len(probs), 2)
    args = {"logits": logits, "mask": mask, **options}
    return case(name, args, expected=expected, visible=True, relations=relations)


def literals():
    half = 3 / 2
    yield by_hand("one_microbatch", [FIRST, SECOND], 3 * (0.5 * 0.55 + 0.25 * 0.2 + 0.25 * 0.25), k=2)
    each = half * (0.5 + 0.3), half * (0.6 + 0.3)
    yield by_hand("two_sequences", [FIRST, SECOND], sum(each) / 2, k=2, per_sequence=True)
    counts = torch.tensor([2, 1, 1])
    # Half of each probability, because the global batch has two tokens.
    first, second = half * (0.5 * 0.5 + 0.25 * (0.3 + 0.2)), half * (0.5 * 0.6 + 0.25 * (0.1 + 0.3))
    yield by_hand("first_rank", [FIRST], first, k=2, global_counts=counts)
    yield by_hand("second_rank", [SECOND], second, k=2, global_counts=counts)
    # The square of 2 is 4.
    options = {"shifts": (2.0,), "k": 2, "z_coef": 0.1, "relations": (AS_BATCH,)}
    yield by_hand("one_token", [FIRST], each[0] + 0.1 * 4, per_sequence=True, **options)
    # The squares of 1 and 3 have a mean of 5.
    yield by_hand("with_z_loss", [FIRST, SECOND], 1.1625 + 0.1 * 5, shifts=(1.0, -3.0), k=2, z_coef=0.1)


def even_load():
    """Return four tokens that choose four experts with the same gap."""
    args = {"logits": 2 * torch.eye(4)[None], "mask": torch.ones(1, 4, dtype=torch.bool), "k": 1}
    return case("even_load", args, expected=1.0, visible=True)


def one_expert():
    """Return tokens that all choose expert 2, with a probability of almost 1."""
    logits = torch.tensor([0.0, 1.0, 40.0, 2.0]).expand(2, 3, 4).clone()
    args = {"logits": logits, "mask": torch.ones(2, 3, dtype=torch.bool), "k": 1}
    return case("one_expert", args, expected=4.0, visible=True)


def batch(rng):
    """Return a case whose tensors are views of transposed storage."""
    args = {name: x.transpose(0, 1).contiguous().transpose(0, 1) for name, x in draw_with_short_rows(rng).items()}
    args["k"] = 2
    return case("batch", args, relations=(PADDING, WIDER, REVERSED, SHIFTED, OWN_COUNTS))


def batch_with_z(rng):
    args = {**draw(rng), "k": 3, "z_coef": 0.3}
    return case("batch_with_z", args, relations=(PADDING, WIDER, REVERSED, OWN_COUNTS))


def one_choice(rng):
    return case("one_choice", {**draw(rng), "k": 1}, relations=(PADDING, SHIFTED, OWN_COUNTS))


def sequences(rng):
    args = {**draw_with_short_rows(rng), "k": 2, "per_sequence": True}
    return case("sequences", args, relations=(PADDING, WIDER, REVERSED, SHIFTED))


def sequences_with_z(rng):
    args = {**draw_with_short_rows(rng), "k": 2, "per_sequence": True, "z_coef": 0.3}
    return case("sequences_with_z", args, relations=(PADDING, WIDER, REVERSED))


def draw_share(rng, k):
    """Return a microbatch with the counts of a global batch whose other tokens prefer different experts."""
    args = {**draw_with_short_rows(rng), "k": k}
    others = {"logits": draw_logits(rng, 3, 6).roll(2, dims=2), "mask": torch.ones(3, 6, dtype=torch.bool), "k": k}
    return {**args, "global_counts": count_of(args) + count_of(others)}


def share(rng):
    return case("share", draw_share(rng, 2), relations=(PADDING, WIDER, REVERSED, SHIFTED))


def share_with_z(rng):
    return case("share_with_z", {**draw_share(rng, 2), "z_coef": 0.3}, relations=(PADDING, WIDER, REVERSED))


def no_tokens(rng):
    args = {**draw(rng), "k": 2, "z_coef": 0.3}
    args["mask"] = torch.zeros_like(args["mask"])
    relations = (
        PADDING,
        Relation(
            name="by_sequence",
            says="Without real tokens, the loss is 0 with `per_sequence`, too.",
            change=lambda args: {**args, "per_sequence": True},
        ),
        Relation(
            name="others_have_tokens",
            says="Without real tokens, the part of a global batch is 0.",
            change=lambda args: {**args, "global_counts": torch.tensor([9, 1, 2, 3, 4, 5])},
        ),
        Relation(
            name="nobody_has_tokens",
            says="In a global batch without real tokens, the part is 0.",
            change=lambda args: {**args, "global_counts": torch.zeros(EXPERTS, dtype=torch.long)},
        ),
    )
    return case("no_tokens", args, relations=relations, expected=0.0)


def double_precision(rng):
    args = {**draw_with_short_rows(rng), "k": 2, "z_coef": 0.3}
    return case("double_precision", {**args, "logits": args["logits"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield even_load()
    yield one_expert()
    yield batch(rng)
    yield batch_with_z(rng)
    yield one_choice(rng)
    yield sequences(rng)
    yield sequences_with_z(rng)
    yield share(rng)
    yield share_with_z(rng)
    yield no_tokens(rng)
    yield double_precision(rng)
