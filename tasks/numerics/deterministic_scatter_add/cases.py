"""Terms differ in sign, and in size by a factor of a thousand or more, so that any other order changes some bits."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def uneven(rng, rows, columns, decades=3):
    size = 10 ** (decades * (torch.rand(rows, columns, generator=rng) - 0.5))
    return size * torch.randn(rows, columns, generator=rng)


def without_ties(src, bits):
    """Return the numbers; those halfway between two multiples of `2 ** -bits` are replaced by the lower multiple."""
    scaled = src * 2.0**bits
    return torch.where(scaled - scaled.floor() == 0.5, scaled.floor() / 2.0**bits, src)


def draw_ids(rng, rows):
    """Return different ids in random order, with gaps between them."""
    return 5 + 3 * torch.randperm(rows, generator=rng)


REVERSED = Relation(
    name="arrived_in_reverse",
    says="The order of arrival changes no bit.",
    change=lambda args: {**args, **{name: args[name].flip(0) for name in ("src", "index", "ids")}},
)
MORE_ROWS = Relation(
    name="more_rows",
    says="Rows to which nothing is added are 0.",
    change=lambda args: {**args, "size": args["size"] + 2},
    expect=lambda out: {name: torch.nn.functional.pad(out[name], (0, 0, 0, 2)) for name in ("ordered", "fixed")},
)


def case(name, src, index, ids, size, bits, **more):
    args = {"src": src, "index": index, "ids": ids, "size": size, "bits": bits}
    return Case(name=name, args=args, **more)


def by_hand(name, src, index, ids, size, bits, ordered, fixed, *, is_refused=False):
    def column(values):
        return [[value] for value in values]

    sums = {"ordered": torch.tensor(column(ordered)), "fixed": torch.tensor(column(fixed))}
    expected = {**sums, "is_refused": is_refused}
    args = (torch.tensor(column(src)), torch.tensor(index), torch.tensor(ids), size, bits)
    return case(name, *args, visible=True, expected=expected)


def literals():
    large = 2.0**24
    src, index, ids = [1.0, 1.0, large, -large, 0.3], [0, 0, 0, 0, 2], [7, 5, 3, 9, 1]
    yield by_hand("three_rows", src, index, ids, 3, 4, [0.0, 0.0, 0.3], [2.0, 0.0, 0.3125])
    # Times 2: 0.5, 1.5, 2.5 and -2.5, which are rounded to 0, 2, 2 and -2.
    src = [0.25, 0.75, 1.25, -1.25]
    yield by_hand("ties", src, [0, 1, 2, 3], [4, 3, 2, 1], 4, 1, src, [0.0, 1.0, 1.0, -1.0])
    # With 40 bits, these are the integers 2^61: 3 * 2^61 is below 2^63.
    large = 2.0**21
    yield by_hand("within_the_bound", [large] * 3, [0, 0, 1], [2, 0, 1], 2, 40, [2 * large, large], [2 * large, large])
    # With 40 bits, these are the integers 2^62, or -2^62: two of them reach 2^63.
    large = 2.0**22
    nothing = [0.0, 0.0]
    yield by_hand("overflow", [large] * 3, [0, 0, 1], [2, 0, 1], 2, 40, nothing, nothing, is_refused=True)
    yield by_hand("overflow_cancels", [large, -large], [0, 0], [1, 0], 2, 40, nothing, nothing, is_refused=True)
    yield by_hand("overflow_apart", [large] * 3, [0, 1, 2], [2, 0, 1], 3, 40, [0.0] * 3, [0.0] * 3, is_refused=True)
    # A single integer that does not fit into int64: -2^64.
    yield by_hand("overflow_alone", [-4 * large, 1.0], [1, 0], [0, 1], 2, 40, nothing, nothing, is_refused=True)


def many_rows(rng):
    rows, size = randint(rng, 150, 170), 4
    index = torch.arange(rows)[torch.randperm(rows, generator=rng)] % size
    bits = randint(rng, 19, 20)
    src, ids = without_ties(uneven(rng, rows, 8), bits), draw_ids(rng, rows)
    return case("many_rows", src, index, ids, size, bits, relations=(REVERSED, MORE_ROWS))


def empty_rows(rng):
    """Return sums of which the first, one in the middle, and the last two are empty."""
    rows = randint(rng, 120, 140)
    index = torch.tensor([1, 2, 4])[torch.arange(rows)[torch.randperm(rows, generator=rng)] % 3]
    bits = randint(rng, 19, 20)
    src, ids = without_ties(uneven(rng, rows, 8), bits), draw_ids(rng, rows)
    return case("empty_rows", src, index, ids, 7, bits, relations=(REVERSED,))


def half_precision(rng):
    """Return bfloat16 numbers of very different sizes, all of them multiples of 2^-20."""
    rows, size = randint(rng, 150, 170), 4
    index = torch.arange(rows)[torch.randperm(rows, generator=rng)] % size
    src, ids = uneven(rng, rows, 8, decades=8).bfloat16(), draw_ids(rng, rows)
    src[src.abs() < 2.0**-12] = 0
    return case("half_precision", src, index, ids, size, randint(rng, 20, 21), relations=(REVERSED,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield many_rows(rng)
    yield empty_rows(rng)
    yield half_precision(rng)
