"""Lengths are chosen so that similar packing rules give different rows; tokens are random."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def draw(rng, *lengths):
    return [torch.randint(10, 1000, (length,), generator=rng) for length in lengths]


def rename(out):
    """Return the packing of sequences whose tokens are all larger by 5."""
    is_token, has_label = out["segment_ids"] > 0, out["labels"] >= 0
    return {**out, "input_ids": out["input_ids"] + 5 * is_token, "labels": out["labels"] + 5 * has_label}


RENAMED = Relation(
    name="tokens_renamed",
    says="Where a token goes does not depend on which token it is.",
    change=lambda args: {**args, "sequences": [one + 5 for one in args["sequences"]]},
    expect=rename,
)


def case(name, sequences, C, **more):
    return Case(name=name, args={"sequences": sequences, "C": C}, **more)


def three_sequences():
    full = [[True, False, False, False], [True, True, False, False], [True, True, True, False]]
    attention = [[*full, [False, False, False, True]], [*full[:2], [False, False, True, False], [False] * 3 + [True]]]
    expected = {
        "input_ids": [[7, 8, 9, 4], [5, 6, 0, 0]],
        "position_ids": [[0, 1, 2, 0], [0, 1, 0, 0]],
        "segment_ids": [[1, 1, 1, 2], [1, 1, 0, 0]],
        "labels": [[8, 9, -100, -100], [6, -100, -100, -100]],
        "loss_mask": [[True, True, False, False], [True, False, False, False]],
        "attention": attention,
    }
    sequences = [torch.tensor(x) for x in ([5, 6], [7, 8, 9], [4])]
    return case("three_sequences", sequences, 4, visible=True, expected=expected)


def one_token():
    expected = {
        "input_ids": [[3, 1]],
        "position_ids": [[0, 0]],
        "segment_ids": [[1, 0]],
        "labels": [[-100, -100]],
        "loss_mask": [[False, False]],
        "attention": [[[True, False], [False, True]]],
    }
    args = {"sequences": [torch.tensor([3])], "C": 2, "pad_id": 1}
    return Case(name="one_token", args=args, visible=True, expected=expected)


def longest_first(rng):
    """Return lengths that need more rows in the given order than in descending order."""
    scale = randint(rng, 2, 3)
    lengths = [3, 3, 2, 8, 7, 7]
    return case("longest_first", draw(rng, *(scale * x for x in lengths)), 10 * scale, relations=(RENAMED,))


def earlier_row_has_room(rng):
    """Return lengths of which the last fits into the first row with room to spare and into the second row exactly."""
    return case("earlier_row_has_room", draw(rng, 12, 10, 9, 1), 20)


def exact_fit(rng):
    size = randint(rng, 3, 5)
    return case("exact_fit", draw(rng, size, 2 * size, 3 * size), 3 * size)


def equal_lengths(rng):
    size = randint(rng, 3, 5)
    return case("equal_lengths", draw(rng, *[size] * 5), 2 * size + 1)


def too_long(rng):
    size = randint(rng, 6, 9)
    return case("too_long", draw(rng, size - 3, size + randint(rng, 2, 5), 2), size)


def pad_inside(rng):
    """Return sequences that contain the padding token."""
    size = randint(rng, 4, 6)
    sequences = draw(rng, size, size - 2)
    args = {"sequences": sequences, "C": size + 1, "pad_id": int(sequences[0][1])}
    return Case(name="pad_inside", args=args)


def many(rng):
    scale = randint(rng, 1, 2)
    lengths = torch.tensor([17, 15, 12, 10, 9, 6, 5, 4, 2, 1, 1])[torch.randperm(11, generator=rng)]
    return case("many", draw(rng, *(scale * lengths).tolist()), 20 * scale, relations=(RENAMED,))


def several_too_long(rng):
    """Return sequences that all have `C` tokens after truncation, with the longest in the middle."""
    size = randint(rng, 4, 6)
    return case("several_too_long", draw(rng, size + 1, size, size + 3, size + 2, size), size)


def pad_predicted(rng):
    """Return sequences in which three of the tokens to predict are the padding token."""
    sequences = draw(rng, 5, 3)
    sequences[0][2] = sequences[0][4] = sequences[1][1] = 0
    return case("pad_predicted", sequences, 10)


def timed(rng):
    """Return many answers of very different lengths for timing."""
    lengths = (256 * torch.rand(128, generator=rng) ** 3).long() + 1
    return Case(name="timed", args={"sequences": draw(rng, *lengths.tolist()), "C": 256})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_sequences()
    yield one_token()
    yield longest_first(rng)
    yield earlier_row_has_room(rng)
    yield exact_fit(rng)
    yield equal_lengths(rng)
    yield too_long(rng)
    yield pad_inside(rng)
    yield many(rng)
    yield several_too_long(rng)
    yield pad_predicted(rng)
