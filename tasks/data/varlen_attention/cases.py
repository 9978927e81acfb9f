"""Lengths are fixed where a mistake depends on them; queries, keys and values are random, on padding as well."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

INPUTS = ("q", "k", "v")


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def right(lengths, width):
    return (torch.arange(width) < torch.tensor(lengths)[:, None]).long()


def left(lengths, width):
    return right(lengths, width).flip(1)


def refill(args):
    """Return arguments with other numbers at the padding positions."""
    is_real = args["mask"].bool()[:, :, None, None]
    return {**args, **{name: torch.where(is_real, args[name], 3 - 2 * args[name]) for name in INPUTS}}


PADDING_REFILLED = Relation(
    name="padding_refilled", says="The numbers at padding positions do not matter.", change=refill
)


def drawn(name, rng, mask, multiple=None):
    shape = (*mask.shape, randint(rng, 2, 3), randint(rng, 5, 8))
    args = {part: 1.5 * torch.randn(shape, generator=rng) for part in INPUTS} | {"mask": mask}
    if multiple is not None:
        args["multiple"] = multiple
    return Case(name=name, args=args, grads=INPUTS, relations=(PADDING_REFILLED,))


def two_rows():
    q = torch.full((2, 3, 1, 4), 9.0)
    k, v = q.clone(), q.clone()
    q[0, 1:, 0] = torch.tensor([[0.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]])
    k[0, 1:, 0] = torch.tensor([[0.0, 1.0, 1.0, 1.0], [math.log(3), 0.0, 0.0, 0.0]])
    v[0, 1:, 0] = torch.tensor([[4.0, 0.0, 0.0, 1.0], [8.0, 4.0, 0.0, 1.0]])
    v[1, 0, 0] = torch.tensor([5.0, 6.0, 7.0, 8.0])
    tokens = [[[4.0, 0.0, 0.0, 1.0]], [[7.0, 3.0, 0.0, 1.0]], [[5.0, 6.0, 7.0, 8.0]]]
    nothing = [[0.0, 0.0, 0.0, 0.0]]
    out = [[nothing, tokens[0], tokens[1]], [tokens[2], nothing, nothing]]
    args = {"q": q, "k": k, "v": v, "mask": torch.tensor([[0, 1, 1], [1, 0, 0]]), "multiple": 2}
    expected = (out, [*tokens, nothing], [1, 2, 3], [0, 2, 3, 4], 2)
    return Case(name="two_rows", args=args, visible=True, expected=expected)


def extra_is_longest():
    """Return one real token, and five extra positions."""
    q = torch.ones(2, 2, 1, 2)
    v = torch.tensor([[[[3.0, 4.0]], [[1.0, 2.0]]], [[[5.0, 6.0]], [[7.0, 8.0]]]])
    mask = torch.tensor([[0, 0], [0, 1]])
    packed = [[[7.0, 8.0]], *[[[0.0, 0.0]]] * 5]
    out = [[[[0.0, 0.0]], [[0.0, 0.0]]], [[[0.0, 0.0]], [[7.0, 8.0]]]]
    args = {"q": q, "k": q.clone(), "v": v, "mask": mask, "multiple": 6}
    return Case(name="extra_is_longest", args=args, visible=True, expected=(out, packed, [3], [0, 0, 1, 6], 5))


def no_padding(rng):
    return drawn("no_padding", rng, torch.ones(3, randint(rng, 6, 9), dtype=torch.long))


def right_padded(rng):
    width = randint(rng, 7, 9)
    return drawn("right_padded", rng, right([randint(rng, 4, 6), width - 1, 3], width))


def left_padded(rng):
    width = randint(rng, 7, 9)
    return drawn("left_padded", rng, left([randint(rng, 4, 6), width - 1, 3], width))


def holes(rng):
    """Return rows with padding between real tokens, as after a tool call whose tokens are dropped."""
    mask = torch.ones(3, randint(rng, 8, 10), dtype=torch.long)
    mask[0, 2:4] = mask[1, 0] = mask[1, 5] = mask[2, -1] = mask[2, 1] = 0
    return drawn("holes", rng, mask)


def empty_rows(rng):
    width = randint(rng, 6, 8)
    return drawn("empty_rows", rng, left([0, 4, 0, 5, 0], width))


def next_multiple(rng):
    """Return 14 real tokens, which need two extra positions for a multiple of 8."""
    width = randint(rng, 7, 9)
    return drawn("next_multiple", rng, left([6, 3, 5], width), 8)


def exact_multiple(rng):
    """Return 16 real tokens, which need no extra position for a multiple of 8."""
    width = randint(rng, 8, 9)
    return drawn("exact_multiple", rng, right([6, 3, 7], width), 8)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_rows()
    yield extra_is_longest()
    yield no_padding(rng)
    yield right_padded(rng)
    yield left_padded(rng)
    yield holes(rng)
    yield empty_rows(rng)
    yield next_multiple(rng)
    yield exact_multiple(rng)
