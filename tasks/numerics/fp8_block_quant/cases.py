"""Magnitudes span five decades, and adjacent blocks are two apart, so that using another block's scale is detected."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

FORMATS = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def tiles(x, block):
    return [tile for band in x.split(block[0], dim=0) for tile in band.split(block[1], dim=1)]


def near_ties(tile, fmt, pow2):
    """Return which elements a rounding error could move to a different number of the format."""
    exact = tile.double()
    scale = torch.finfo(FORMATS[fmt]).max / exact.abs().max()
    scaled = exact * (scale.log2().floor().exp2() if pow2 else scale)
    low, high = ((scaled * (1 + slack)).float().to(FORMATS[fmt]).float() for slack in (-1e-5, 1e-5))
    return low != high


def drawn(rng, shape, block, fmt="e4m3", pow2=False, dtype=torch.float32):
    """Return a matrix without elements near ties.

    The largest magnitude of each block is a negative number, far from where the scale changes to another power of two.
    """
    x = torch.randn(shape, generator=rng) * 10 ** (-4 * torch.rand(shape, generator=rng))
    for place, tile in enumerate(tiles(x, block)):
        size = 2.0 ** randint(rng, -6, 6) * 128 ** (place % 2)
        tile.clamp_(-2, 2).mul_(size)
        largest = size * (2.1 + 1.2 * float(torch.rand((), generator=rng)))
        tile[randint(rng, 0, tile.shape[0] - 1), randint(rng, 0, tile.shape[1] - 1)] = -largest
    x = x.to(dtype)
    for tile in tiles(x, block):
        # Repeat until none is left: removing the largest element may change the scale.
        while (is_near := near_ties(tile, fmt, pow2)).any():
            tile[is_near] = 0
    return x


DOUBLED = Relation(
    name="doubled",
    says="A matrix twice as large has the same q and half the scales.",
    change=lambda args: {**args, "x": 2 * args["x"]},
    expect=lambda out: {"q": out["q"], "scale": out["scale"] / 2, "back": 2 * out["back"]},
)
TRANSPOSED = Relation(
    name="transposed",
    says="The transposed matrix with transposed blocks gives the transposed results.",
    change=lambda args: {**args, "x": args["x"].T, "block": args["block"][::-1]},
    expect=lambda out: {name: result.T for name, result in out.items()},
)


def case(name, x, block, fmt="e4m3", pow2=False, **more):
    return Case(name=name, args={"x": x, "block": block, "fmt": fmt, "pow2": pow2}, **more)


def by_hand():
    x = torch.tensor([[1.0, -2.0, 3.5, 7.0, 0.4, -0.75], [0.0, 0.0, 0.0, 0.0, 5.0, 0.003]])
    q = [[64.0, -128.0, 224.0, 448.0, 240.0, -448.0], [0.0, 0.0, 0.0, 0.0, 448.0, 0.28125]]
    scale = [[448 / 7, 448 / 0.75], [1.0, 448 / 5]]
    back = [[1.0, -2.0, 3.5, 7.0, 240 / (448 / 0.75), -0.75], [0.0, 0.0, 0.0, 0.0, 5.0, 0.28125 / (448 / 5)]]
    return case("by_hand", x, (1, 4), visible=True, expected=(q, scale, back))


def steps_of_the_format():
    """Return numbers for which the scale is 1: ties, and numbers below the smallest normal number, 2^-6."""
    step = 2.0**-9
    x = torch.tensor([[448.0, 17.0, 19.0, -25.0, 1.48 * step, 1.5 * step, -0.6 * step, 0.4 * step]])
    q = [[448.0, 16.0, 20.0, -24.0, step, 2 * step, -step, 0.0]]
    return case("steps_of_the_format", x, (1, 8), visible=True, expected=(q, [[1.0]], q))


def steps_of_e5m2():
    """Return numbers for which the scale is 1: ties, and numbers below the smallest normal number, 2^-14."""
    step = 2.0**-16
    x = torch.tensor([[57344.0, 9.0, 11.0, -13.0, 1.48 * step, 1.5 * step, -0.6 * step, 0.4 * step]])
    q = [[57344.0, 8.0, 12.0, -12.0, step, 2 * step, -step, 0.0]]
    return case("steps_of_e5m2", x, (1, 8), "e5m2", visible=True, expected=(q, [[1.0]], q))


def mantissa_above_the_format():
    """Return a largest magnitude whose mantissa is above that of the format's largest number, 1.75."""
    x = torch.tensor([[7.5, -3.0, 1.0, 0.5]])
    # 448 / 7.5 is 59.7; with 64, 7.5 would become 480.
    q = [[240.0, -96.0, 32.0, 16.0]]
    return case("mantissa_above_the_format", x, (1, 4), pow2=True, visible=True, expected=(q, [[32.0]], x.clone()))


def row_blocks(rng):
    shape, block = (randint(rng, 3, 4), 128 + randint(rng, 20, 90)), (1, 128)
    # All arguments except x have their default values.
    return Case(name="row_blocks", args={"x": drawn(rng, shape, block)}, relations=(DOUBLED,))


def square_blocks(rng):
    """Return two-dimensional blocks, some of them cut off at the edges, in a view of the transpose."""
    block = (randint(rng, 4, 5), randint(rng, 7, 9))
    x = drawn(rng, (2 * block[0] + randint(rng, 1, 2), 3 * block[1] + randint(rng, 1, 3)), block)
    return case("square_blocks", x.T.contiguous().T, block, relations=(TRANSPOSED,))


def powers_of_two(rng):
    block = (1, randint(rng, 14, 18))
    x = drawn(rng, (randint(rng, 3, 5), 3 * block[1] + 4), block, pow2=True)
    return case("powers_of_two", x, block, pow2=True, relations=(DOUBLED,))


def more_exponent(rng):
    block = (2, randint(rng, 14, 18))
    return case("more_exponent", drawn(rng, (6, 3 * block[1] + 4), block, "e5m2"), block, "e5m2")


def wide_powers(rng):
    block = (1, randint(rng, 14, 18))
    x = drawn(rng, (randint(rng, 3, 5), 3 * block[1] + 4), block, "e5m2", pow2=True)
    return case("wide_powers", x, block, "e5m2", pow2=True)


def half_precision(rng):
    block = (1, randint(rng, 14, 18))
    x = drawn(rng, (randint(rng, 5, 7), 3 * block[1] + 4), block, dtype=torch.bfloat16)
    return case("half_precision", x, block)


def tiny(rng):
    """Return blocks of numbers near 1e-9 and one of zeros."""
    block = (3, randint(rng, 7, 9))
    x = drawn(rng, (6, 2 * block[1] + 3), block) * 1e-9
    x[:3, : block[1]] = 0
    return case("tiny", x, block)


def smallest():
    """Return a block whose largest magnitude is near 1e-20, and one near 1e20."""
    small, large = 1.75 * 2.0**-66, 1.75 * 2.0**65  # 2.4e-20 and 6.5e19
    row = [1.0, -0.5, 0.25, 0.125]
    x = torch.tensor([[number * small for number in row] + [number * large for number in row]])
    q = [[448.0, -224.0, 112.0, 56.0, 448.0, -224.0, 112.0, 56.0]]
    return case("smallest", x, (1, 4), visible=True, expected=(q, [[448 / small, 448 / large]], x.clone()))


def exact_powers():
    """Return blocks whose scales are already powers of two: 64, 1 and 2^-10."""
    x = torch.tensor([[7.0, -3.5, 1.0, 0.5, 448.0, -16.0, 2.0, 1.0, 448.0 * 1024, 0.0, -1024.0, 1024.0]])
    q = [[448.0, -224.0, 64.0, 32.0, 448.0, -16.0, 2.0, 1.0, 448.0, 0.0, -1.0, 1.0]]
    expected = (q, [[64.0, 1.0, 2.0**-10]], x.clone())
    return case("exact_powers", x, (1, 4), pow2=True, visible=True, expected=expected)


def timed(rng):
    """Return a matrix of the size of a small layer's weights for timing."""
    return Case(name="timed", args={"x": drawn(rng, (256, 1024), (128, 128)), "block": (128, 128)})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand()
    yield steps_of_the_format()
    yield steps_of_e5m2()
    yield mantissa_above_the_format()
    yield row_blocks(rng)
    yield square_blocks(rng)
    yield powers_of_two(rng)
    yield more_exponent(rng)
    yield wide_powers(rng)
    yield half_precision(rng)
    yield tiny(rng)
    yield smallest()
    yield exact_powers()
