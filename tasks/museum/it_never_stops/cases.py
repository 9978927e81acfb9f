"""Conversations that end with the end-of-sequence token or are truncated, padded with that token or a different one."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

VOCABULARY = 9
EOS = 8
OTHER = 1


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def row(*turns):
    """Return a row; the turns are lists of token ids, and the user begins."""
    tokens = [token for turn in turns for token in turn]
    from_assistant = [turn % 2 == 1 for turn, ids in enumerate(turns) for _ in ids]
    return {"tokens": torch.tensor(tokens), "from_assistant": torch.tensor(from_assistant)}


def draw(rng, count):
    """Return token ids from 2 to 7; the last one is at least 4."""
    ids = torch.randint(2, VOCABULARY - 1, (count,), generator=rng).tolist()
    return [*ids[:-1], randint(rng, 4, 7)]


def conversation(rng, exchanges, longest=3):
    """Return a row in which every turn ends with the end-of-sequence token."""
    return row(*([*draw(rng, randint(rng, 2, longest)), EOS] for _ in range(2 * exchanges)))


def draw_model(rng, rows, max_length):
    """Return a table for which the mean over the labels differs from the mean over the rows, unless it cannot."""
    while True:
        model = torch.randn(VOCABULARY, VOCABULARY, generator=rng)
        losses = []
        for entry in rows:
            tokens, counts = entry["tokens"][:max_length], entry["from_assistant"][:max_length]
            losses.append(-model.log_softmax(dim=1)[tokens[:-1], tokens[1:]][counts[1:]])
        gap = torch.cat(losses).mean() - torch.stack([x.mean() for x in losses]).mean()
        if gap.abs() > 0.02 or len({len(x) for x in losses}) == 1:
            return model


def case(name, rng, rows, pad_id=EOS, max_length=100, **more):
    model = draw_model(rng, rows, max_length)
    args = {"model": model, "rows": rows, "pad_id": pad_id, "max_length": max_length}
    return Case(name, args, **{"grads": ("model",), **more})


def other_padding(args):
    return {**args, "pad_id": OTHER}


PADDING = Relation("other_pad_id", "The results do not depend on the padding token.", other_padding)


def one_exchange():
    """Return the statement's example: token 0 is followed by 1 with probability 3/4, and 1 by 2 with 1/2."""
    model = torch.zeros(3, 3)
    model[0, 1] = math.log(6)
    model[1, 2] = math.log(2)
    rows = [row([0], [1, 2]), row([0], [1, 1, 2])]
    # The probabilities are 3/4 and 1/2 in the first row, and 3/4, 1/4 and 1/2 in the second one.
    loss = -(2 * math.log(3 / 4) + 2 * math.log(1 / 2) + math.log(1 / 4)) / 5
    attention = torch.tensor([[True, True, True, False], [True, True, True, True]])
    labels = torch.tensor([[-100, 1, 2, -100], [-100, 1, 1, 2]])
    args = {"model": model, "rows": rows, "pad_id": 2, "max_length": 8}
    expected = (torch.tensor(loss, dtype=torch.float64), attention, labels)
    return Case("one_exchange", args, grads=("model",), visible=True, expected=expected)


def single_turns(rng):
    """Return rows of one exchange each and of different lengths."""
    rows = [row([*draw(rng, 2), EOS], [*draw(rng, count), EOS]) for count in (2, 5, 3, 1)]
    return case("single_turns", rng, rows, relations=(PADDING,))


def several_turns(rng):
    """Return rows with several turns, all of which end with the end-of-sequence token."""
    rows = [conversation(rng, exchanges) for exchanges in (3, 1, 2)]
    return case("several_turns", rng, rows, relations=(PADDING,))


def equal_lengths(rng):
    """Return rows without padding."""
    rows = [row([*draw(rng, 2), EOS], [*draw(rng, 3), EOS]) for _ in range(3)]
    return case("equal_lengths", rng, rows)


def truncated(rng):
    """Return rows of which one is cut off in the middle of an answer, before an end-of-sequence token."""
    rows = [row([*draw(rng, 3), EOS], [*draw(rng, count), EOS]) for count in (9, 2, 3)]
    return case("truncated", rng, rows, max_length=9)


def no_end(rng):
    """Return rows of which some do not end with the end-of-sequence token, as a cut-off data set has."""
    rows = [row([*draw(rng, 2), EOS], draw(rng, 3)), row(draw(rng, 2), [*draw(rng, 6), EOS]), row([1, EOS], [4, 5])]
    return case("no_end", rng, rows)


def two_ends(rng):
    """Return rows with two or three end-of-sequence tokens in a row, at the end or before it."""
    rows = [row([*draw(rng, 2), EOS], [*draw(rng, 2), EOS, EOS]), row(draw(rng, 2), [*draw(rng, 6), EOS])]
    rows.append(row([*draw(rng, 2), EOS], [*draw(rng, 1), EOS, EOS, EOS]))
    rows.append(row([5, EOS, EOS], [6, EOS, EOS], [4, EOS], [7, EOS]))
    return case("two_ends", rng, rows)


def other_pad_token(rng):
    """Return rows that are padded with a token that also occurs inside the conversations, in both roles."""
    rows = [row([OTHER, 5, EOS], [4, OTHER, 6, EOS]), conversation(rng, 2, 4), row([6, OTHER, EOS], [OTHER, EOS])]
    return case("other_pad_token", rng, rows, pad_id=OTHER)


def first_tokens(rng):
    """Return rows with every token that a library might take as its padding token."""
    rows = [row([0, 5, EOS], [0, 1, 2, EOS]), row([1, 2, EOS], [0, 4, EOS]), row([4, EOS], [2, 0, 1, 2, 1, EOS])]
    return case("first_tokens", rng, rows)


def double_precision(rng):
    drawn = case("double_precision", rng, [conversation(rng, exchanges) for exchanges in (2, 1)])
    return Case("double_precision", {**drawn.args, "model": drawn.args["model"].double()}, grads=("model",))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_exchange()
    yield single_turns(rng)
    yield several_turns(rng)
    yield equal_lengths(rng)
    yield truncated(rng)
    yield no_end(rng)
    yield two_ends(rng)
    yield other_pad_token(rng)
    yield first_tokens(rng)
    yield double_precision(rng)
