"""Terms differ in sign, and in size by a factor of a thousand, so that any other order changes the last bits."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def uneven(rng, rows, columns):
    size = 10 ** (3 * torch.rand(rows, columns, generator=rng) - 1.5)
    return size * torch.randn(rows, columns, generator=rng)


def expected(case: Case):
    """Return the product row by row, each term as a product of two columns of numbers."""
    x, w = case.args["x"].float(), case.args["w"].float()
    rows = []
    for row in x:
        sums = []
        for terms, weights in zip(row.split(case.args["block"]), w.split(case.args["block"]), strict=True):
            total = terms[0] * weights[0]
            for term, weight in zip(terms[1:], weights[1:], strict=True):
                total = total + term * weight
            sums.append(total)
        result = sums[0]
        for total in sums[1:]:
            result = result + total
        rows.append(result)
    return torch.stack(rows) if rows else torch.zeros(0, w.shape[1])


REVERSED = Relation(
    name="rows_reversed",
    says="A row gives the same bits at another place of the batch.",
    change=lambda args: {**args, "x": args["x"].flip(0)},
    expect=lambda out: {"out": out["out"].flip(0)},
)
ALONE = Relation(
    name="first_row_alone",
    says="A row gives the same bits without the others.",
    change=lambda args: {**args, "x": args["x"][:1]},
    expect=lambda out: {"out": out["out"][:1]},
)
FEWER_COLUMNS = Relation(
    name="fewer_columns",
    says="A column gives the same bits without the others.",
    change=lambda args: {**args, "w": args["w"][:, :2]},
    expect=lambda out: {"out": out["out"][:, :2]},
)
ZEROS_BEHIND = Relation(
    name="zeros_appended",
    says="Zeros behind the last index change no bit.",
    change=lambda args: {
        **args,
        "x": torch.nn.functional.pad(args["x"], (0, 3)),
        "w": torch.nn.functional.pad(args["w"], (0, 0, 0, 3)),
    },
)
ALL = (REVERSED, ALONE, FEWER_COLUMNS, ZEROS_BEHIND)


def case(name, x, w, block, **more):
    return Case(name=name, args={"x": x, "w": w, "block": block}, **more)


def two_rows():
    large = 2.0**24
    x = torch.tensor([[large, 1.0, 1.0, 1.0, -large], [large, 1.0, 1.0, 1.0, 1.0]])
    # Ties are rounded to even: 2^24 + 1 is 2^24. So the first is 2^24 + (1 - 2^24), the second 2^24 + (1 + 1).
    return case("two_rows", x, torch.ones(5, 1), 3, visible=True, expected=[[1.0], [large + 2]])


def long_rows(rng):
    """Return whole blocks, in a batch that is a view of transposed storage."""
    block = randint(rng, 8, 12)
    x = uneven(rng, randint(rng, 8, 11), 6 * block).T.contiguous().T
    w = uneven(rng, 8, 6 * block).T
    return case("long_rows", x, w, block, relations=ALL)


def short_last_block(rng):
    block = randint(rng, 12, 16)
    K = 3 * block + randint(rng, 5, block - 3)
    return case("short_last_block", uneven(rng, 7, K), uneven(rng, K, 8), block, relations=ALL)


def half_precision(rng):
    block = randint(rng, 8, 12)
    K = 4 * block + 5
    x, w = uneven(rng, 6, K).bfloat16(), uneven(rng, K, 7).bfloat16()
    return case("half_precision", x, w, block, relations=(REVERSED, ALONE))


def block_of_one(rng):
    K = randint(rng, 80, 95)
    return case("block_of_one", uneven(rng, 9, K), uneven(rng, K, 17), 1, relations=(ALONE,))


def one_block(rng):
    K = randint(rng, 80, 95)
    return case("one_block", uneven(rng, 9, K), uneven(rng, K, 17), 128, relations=(ALONE,))


def empty_batch(rng):
    w = uneven(rng, 9, 4)
    return case("empty_batch", torch.zeros(0, 9), w, 4, expected=torch.zeros(0, 4))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_rows()
    yield long_rows(rng)
    yield short_last_block(rng)
    yield half_precision(rng)
    yield block_of_one(rng)
    yield one_block(rng)
    yield empty_batch(rng)
