"""Each position has its own sharpness, so entropies are far apart; old and current policy rank tokens differently."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

VOCABULARY = 6
# The current rank of the sampled token, first at the two most uncertain positions. The old policy's top 3 are the
# current ranks 4, 5 and 0, so some sampled tokens are candidates and some are not, and some are the favorite of one
# policy or of neither.
RANKS_AT_FORKS = torch.tensor([[0, 4], [2, 0]])
RANKS = torch.tensor([2, 0, 1, 4])


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def ladders(rng, rank, sharpness):
    """Return logits [B, T, V] in the order of `rank`, spread by `sharpness` [B, T]."""
    steps = 1.5 - 0.6 * rank + rand(rng, *rank.shape, low=-0.1, high=0.1)
    return steps * sharpness[..., None]


def batch(rng, lengths):
    """Return rows that are alternately correct and wrong; wrong ones are more certain, the padding is least certain."""
    rows, steps = len(lengths), max(lengths) + 1
    mask = torch.arange(steps) < torch.tensor(lengths)[:, None]
    mask = mask.roll(1, dims=1)
    place = (torch.rand(rows, steps, generator=rng) + (~mask) * 2).argsort(dim=1).argsort(dim=1)
    rank = torch.rand(rows, steps, VOCABULARY, generator=rng).argsort(dim=-1)
    correct = torch.arange(rows) % 2 == 0
    level = torch.where(correct, 0.6, 1.2)[:, None]
    sharpness = level + 0.12 * place + rand(rng, rows, steps, low=-0.02, high=0.02)
    logits = ladders(rng, rank, torch.where(mask, sharpness, 0.1))
    old_logits = ladders(rng, (rank + 2) % VOCABULARY, torch.where(mask, 2.2 - 0.12 * place, 0.1))
    pair = torch.arange(rows)[:, None] // 2 % 2
    sampled_rank = torch.where(place < 2, RANKS_AT_FORKS[pair, place.clamp(max=1)], RANKS[place % 4])
    tokens = (rank == sampled_rank[..., None]).int().argmax(dim=-1)
    return {"logits": logits, "old_logits": old_logits, "tokens": tokens, "correct": correct, "mask": mask}


def poison_padding(args):
    mask = args["mask"]
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("logits", "old_logits")):
        spread = poison[(torch.arange(args[name].numel()).reshape(args[name].shape) + shift) % 3]
        args[name] = torch.where(mask[..., None], args[name], spread.to(args[name].dtype))
    return {**args, "tokens": torch.where(mask, args["tokens"], -100)}


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 as masked logits and -100 as masked tokens change nothing.",
    change=poison_padding,
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {name: out[name].flip(0) for name in ("ratio", "scale")},
)
SHIFTED = Relation(
    name="logits_shifted",
    says="A constant added to all old logits of a position changes nothing.",
    change=lambda args: {**args, "old_logits": args["old_logits"] + 0.5},
)
UNSHARED = Relation(
    name="verdicts_without_alpha",
    says="With an alpha of 0 the verdicts change only the factors.",
    change=lambda args: {**args, "correct": ~args["correct"]},
    expect=lambda out: {name: x for name, x in out.items() if name != "scale"},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logits",), **more)


def probability(logits, token):
    """Return one probability, for the results computed by hand."""
    return math.exp(logits[token]) / sum(math.exp(x) for x in logits)


def two_positions():
    """Return the two positions of the example, without `correct`."""
    return {
        "logits": torch.tensor([[[2.0, 1.0, 0.5, -1.0], [4.0, 0.3, 0.0, -0.4]]]),
        "old_logits": torch.tensor([[[1.8, 1.1, 0.5, -1.0], [0.1, 3.0, 0.2, 0.0]]]),
        "tokens": torch.tensor([[1, 0]]),
        "mask": torch.ones(1, 2, dtype=torch.bool),
    }


def ratios_by_hand():
    first = probability([2.0, 1.0, 0.5, -1.0], 1) / probability([1.8, 1.1, 0.5, -1.0], 1)
    second = probability([4.0, 0.3, 0.0, -0.4], 0) / probability([0.1, 3.0, 0.2, 0.0], 0)
    return [[first, second]]


def one_fork():
    args = {**two_positions(), "correct": torch.tensor([True])}
    return case("one_fork", args, visible=True, expected=(ratios_by_hand(), [[1.0, 1.0]]))


def wrong_answer():
    args = {**two_positions(), "correct": torch.tensor([False])}
    return case("wrong_answer", args, visible=True, expected=(ratios_by_hand(), [[1.0, 1.0]]))


def wrong_favorite():
    """Return the wrong answer with token 0, the current favorite, sampled at the fork, and a different penalty."""
    args = {**two_positions(), "correct": torch.tensor([False]), "tokens": torch.tensor([[0, 0]]), "penalty": 1.5}
    first = probability([2.0, 1.0, 0.5, -1.0], 0) / probability([1.8, 1.1, 0.5, -1.0], 0)
    return case("wrong_favorite", args, visible=True, expected=([[first, ratios_by_hand()[0][1]]], [[1.5, 1.0]]))


def short_rows():
    """Return a correct and a wrong row with one unmasked position each, and a row without any; -100 elsewhere."""
    one = two_positions()
    args = {name: x.expand(3, *x.shape[1:]).clone() for name, x in one.items()}
    args["mask"] = torch.tensor([[True, False], [False, True], [False, False]])
    args["tokens"] = torch.where(args["mask"], args["tokens"], -100)
    args["correct"] = torch.tensor([True, False, True])
    first, second = ratios_by_hand()[0]
    expected = ([[first, 1.0], [1.0, second], [1.0, 1.0]], [[1.0, 1.0]] * 3)
    return case("short_rows", args, relations=(PADDING,), expected=expected)


def many_rows(rng):
    """Return a case whose logits are views of transposed storage, as a trainer that keeps [T, B, V] would pass them."""
    args = batch(rng, [8, 9, 7, randint(rng, 7, 10), 8, randint(rng, 8, 9)])
    for name in ("logits", "old_logits"):
        args[name] = args[name].transpose(0, 1).contiguous().transpose(0, 1)
    return case("many_rows", args, relations=(PADDING, REVERSED, SHIFTED))


def large_share(rng):
    args = batch(rng, [8, 10, 8, 8])
    return case("large_share", {**args, "alpha": 0.4, "K": 2, "q": 0.5, "penalty": 2.0}, relations=(PADDING,))


def all_candidates(rng):
    """Return a K that is the size of the vocabulary."""
    args = batch(rng, [9, 8, 7, 9])
    return case("all_candidates", {**args, "alpha": 0.2, "K": VOCABULARY})


def no_share(rng):
    args = batch(rng, [9, 8, 7, 9])
    return case("no_share", {**args, "alpha": 0.0}, relations=(UNSHARED,))


def constants_require_grad(rng):
    """Return a separate case for the rule that the old logits receive no gradient although they require one."""
    args = batch(rng, [8, 9, 7, 8])
    return Case("constants_require_grad", {**args, "alpha": 0.3}, grads=("logits",), constants=("old_logits",))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, [8, 9, 7, 8])
    args = {name: x.double() if x.is_floating_point() else x for name, x in args.items()}
    return case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_fork()
    yield wrong_answer()
    yield wrong_favorite()
    yield short_rows()
    yield many_rows(rng)
    yield large_share(rng)
    yield all_candidates(rng)
    yield no_share(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
