"""Elements are kept away from ties, so that rounding in a different order of operations gives the same integers."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def without_ties(values, scale):
    """Return the values; those within 1 % of a step from a tie are moved to a multiple of the scale."""
    steps = values.double() / scale
    is_near = (steps - steps.floor() - 0.5).abs() < 0.01
    return torch.where(is_near, (steps.floor() * scale).float(), values)


def activations(rng, rows, columns, below, scale):
    """Return a matrix whose range has `below` of its 255 steps below 0; both ends of the range occur."""
    low, high = -below * scale, (255 - below) * scale
    x = low + (high - low) * torch.rand(rows, columns, generator=rng)
    x = without_ties(x.clamp(low + scale, high - scale), scale)
    places = torch.randperm(x.numel(), generator=rng)[:2]
    x.view(-1)[places] = torch.tensor([low, high])
    return x


def weights(rng, rows, columns):
    """Return rows of very different magnitudes; the largest magnitude of each row belongs to a negative element."""
    w = torch.randn(rows, columns, generator=rng).clamp(-2.5, 2.5)
    for row, channel in enumerate(w):
        largest = 2.6 + 0.4 * float(torch.rand((), generator=rng))
        channel[randint(rng, 0, columns - 1)] = -largest
        channel.copy_(without_ties(channel, largest / 127) * 2.0 ** (2 * (row % 4) - 6))
    return w


def random_scale(rng):
    return 0.02 + 0.02 * float(torch.rand((), generator=rng))


SCALED = Relation(
    name="powers_of_two",
    says="Four times the activations and twice the weights give the same integers.",
    change=lambda args: {"x": 4 * args["x"], "w": 2 * args["w"]},
    expect=lambda out: {
        **out,
        "x_scale": 4 * out["x_scale"],
        "w_scale": 2 * out["w_scale"],
        "out": 8 * out["out"],
    },
)
CHANNELS_REVERSED = Relation(
    name="channels_reversed",
    says="A channel does not depend on the others.",
    change=lambda args: {**args, "w": args["w"].flip(0)},
    expect=lambda out: {
        **out,
        "w_q": out["w_q"].flip(0),
        "w_scale": out["w_scale"].flip(0),
        "acc": out["acc"].flip(1),
        "out": out["out"].flip(1),
    },
)


def case(name, x, w, **more):
    return Case(name=name, args={"x": x, "w": w}, **more)


def by_hand(name, x, w, **expected):
    return case(name, torch.tensor(x), torch.tensor(w), visible=True, expected=expected)


def literals():
    yield by_hand(
        "two_channels",
        [[-1.0, 0.3, 2.0, 6.0]],
        [[-1.0, 0.3, 2.0, 6.0], [1.27, 0.0, -0.6, 0.25]],
        x_q=[[-128, -81, -19, 127]],
        x_scale=7 / 255,
        x_zero=-92,
        w_q=[[-21, 6, 42, 127], [127, 0, -60, 25]],
        w_scale=[6 / 127, 0.01],
        acc=[[17533, -11941]],
        # The sums of the rows of w_q are 154 and 92: 17533 + 92 * 154 = 31701, and -11941 + 92 * 92 = -3477.
        out=[[31701 * 7 / 255 * 6 / 127, -3477 * 7 / 255 * 0.01]],
    )
    # All scales are 1, and the zero point is odd, so rounding after adding it sends ties elsewhere.
    yield by_hand(
        "ties",
        [[-101.0, 154.0, 0.5, 1.5], [-0.5, -2.5, 2.5, 3.5]],
        [[127.0, 0.5, -1.5, 2.5], [-127.0, 63.5, -0.5, 3.5]],
        x_q=[[-128, 127, -27, -25], [-27, -29, -25, -23]],
        x_scale=1.0,
        x_zero=-27,
        w_q=[[127, 0, -2, 2], [-127, 64, 0, 4]],
        w_scale=[1.0, 1.0],
        acc=[[-16252, 24284], [-3425, 1481]],
        out=[[-12823.0, 22691.0], [4.0, -112.0]],
    )
    # The zero point is 25.5, rounded to 26, and 101.5 is rounded to 102: their sum is 128.
    yield by_hand(
        "upper_end",
        [[-153.5, 101.5, 10.0, -20.0]],
        [[127.0, -64.0, 32.0, 8.0], [0.0, 1.0, 127.0, -127.0]],
        x_q=[[-128, 127, 36, 6]],
        x_scale=1.0,
        x_zero=26,
        w_q=[[127, -64, 32, 8], [0, 1, 127, -127]],
        w_scale=[1.0, 1.0],
        acc=[[-23184, 3937]],
        out=[[-25862.0, 3911.0]],
    )
    yield by_hand(
        "constant",
        [[5.0, 5.0, 5.0], [5.0, 5.0, 5.0]],
        [[2.0, 2.0, 2.0], [-4.0, -4.0, -4.0]],
        x_q=[[127, 127, 127], [127, 127, 127]],
        x_scale=5 / 255,
        x_zero=-128,
        w_q=[[127, 127, 127], [-127, -127, -127]],
        w_scale=[2 / 127, 4 / 127],
        acc=[[48387, -48387], [48387, -48387]],
        out=[[30.0, -60.0], [30.0, -60.0]],
    )
    yield by_hand(
        "zero_activations",
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
        [[127.0, 1.0, -2.0]],
        x_q=[[-128, -128, -128], [-128, -128, -128]],
        x_scale=1.0,
        x_zero=-128,
        w_q=[[127, 1, -2]],
        w_scale=[1.0],
        acc=[[-16128], [-16128]],
        out=[[0.0], [0.0]],
    )
    yield by_hand(
        "zero_channel",
        [[-101.0, 154.0, 3.0]],
        [[0.0, 0.0, 0.0], [127.0, -5.0, 2.0]],
        x_q=[[-128, 127, -24]],
        x_scale=1.0,
        x_zero=-27,
        w_q=[[0, 0, 0], [127, -5, 2]],
        w_scale=[1.0, 1.0],
        acc=[[0, -16939]],
        out=[[0.0, -13591.0]],
    )


def skewed(rng):
    """Return activations that are mostly positive, and weights that are a view of a transposed matrix."""
    x = activations(rng, randint(rng, 5, 7), randint(rng, 29, 35), randint(rng, 20, 60) + 0.25, random_scale(rng))
    w = weights(rng, randint(rng, 9, 12), x.shape[1]).T.contiguous().T
    return case("skewed", x, w, relations=(SCALED, CHANNELS_REVERSED))


def all_positive(rng):
    x = activations(rng, randint(rng, 5, 7), randint(rng, 29, 35), 0, 2.0**-5)
    return case("all_positive", x.clamp(min=2.0), weights(rng, 9, x.shape[1]))


def all_negative(rng):
    x = activations(rng, randint(rng, 5, 7), randint(rng, 29, 35), 255, 2.0**-5)
    return case("all_negative", x.clamp(max=-2.0), weights(rng, 9, x.shape[1]))


def tiny_channel(rng):
    """Return weights of which one channel is near 1e-9."""
    x = activations(rng, randint(rng, 5, 7), randint(rng, 29, 35), randint(rng, 20, 60) + 0.25, random_scale(rng))
    w = weights(rng, 9, x.shape[1])
    w[2] *= 2.0**-30
    return case("tiny_channel", x, w)


def tiny_activations(rng):
    """Return activations whose range is near 1e-8."""
    below = randint(rng, 20, 60) + 0.25
    x = activations(rng, randint(rng, 5, 7), randint(rng, 29, 35), below, random_scale(rng)) * 2.0**-30
    return case("tiny_activations", x, weights(rng, 9, x.shape[1]))


def long_rows(rng):
    """Return large numbers of the same sign: the sums of their products exceed 2^24, where float32 skips odd ones."""
    K = randint(rng, 1500, 1700)
    x_q = torch.randint(114, 128, (5, K), generator=rng)
    w_q = torch.randint(118, 128, (7, K), generator=rng)
    x_q[0, 0] = w_q[:, 0] = 127
    return case("long_rows", (x_q + 128) * 2.0**-5, w_q * 2.0**-7)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield skewed(rng)
    yield all_positive(rng)
    yield all_negative(rng)
    yield tiny_channel(rng)
    yield tiny_activations(rng)
    yield long_rows(rng)
