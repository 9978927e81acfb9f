"""Row lengths differ by a factor of ten and are spread unevenly across ranks, so that every wrong count is far off."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def poisoned(value):
    return Relation(
        name=f"padding_is_{value}",
        says="What stands where the mask is false changes nothing.",
        change=lambda args: {**args, "loss_mat": args["loss_mat"].masked_fill(~args["mask"], value)},
    )


def whole(args):
    """Return what a single process would get: all rows at once."""
    return {**args, "ranks": [[(0, *args["mask"].shape)]]}


def dealt_anew(args):
    """Return the rows distributed across one more rank, with one row per microbatch."""
    rows, width = args["mask"].shape
    count = len(args["ranks"]) + 1
    ranks = [[(row, row + 1, width) for row in range(rank, rows, count)] for rank in range(count)]
    return {**args, "ranks": [one for one in ranks if one]}


def same_batch(out):
    return {name: value for name, value in out.items() if name != "by_rank"}


ONE_PROCESS = Relation(
    name="one_process",
    says="One process with the whole batch has the same loss and gradient.",
    change=whole,
    expect=same_batch,
)
DEALT = Relation(
    name="dealt_anew",
    says="Rows on other ranks, one by one, give the same loss and gradient.",
    change=dealt_anew,
    expect=same_batch,
)
PADDING = tuple(poisoned(value) for value in (float("nan"), 1e9, -1e9))
ALL = (ONE_PROCESS, DEALT, *PADDING)


def padded(lengths):
    """Return a mask with rows of these lengths, an empty first column and two columns of padding."""
    steps = torch.arange(max(lengths) + 3)
    return (steps >= 1) & (steps <= torch.tensor(lengths)[:, None])


def case(name, rng, mode, ranks, relations=ALL):
    """Return a case from the lengths of the rows: a list of microbatches for each rank."""
    lengths = [length for microbatches in ranks for rows in microbatches for length in rows]
    mask = padded(lengths)
    slope = torch.linspace(0.5, 2, len(lengths))[:, None]
    first, places = 0, []
    for microbatches in ranks:
        places.append([])
        for rows in microbatches:
            places[-1].append((first, first + len(rows), max(rows) + 2))
            first += len(rows)
    loss_mat = slope + torch.randn(mask.shape[::-1], generator=rng).T
    args = {"loss_mat": loss_mat, "mask": mask, "mode": mode, "ranks": places}
    return Case(name=name, args=args, grads=("loss_mat",), relations=relations)


def four_tokens():
    loss_mat = torch.tensor([[2.0, 7.0, 7.0], [4.0, 6.0, 8.0]])
    mask = torch.tensor([[True, False, False], [True, True, True]])
    args = {"loss_mat": loss_mat, "mask": mask, "mode": "token-mean", "ranks": [[(0, 1, 3)], [(1, 2, 3)]]}
    expected = {"loss": 5.0, "by_rank": [1.0, 9.0], "can_go_backward": True}
    return Case(name="four_tokens", args=args, grads=("loss_mat",), visible=True, expected=expected)


def three_rows(name, mode, of_rank):
    """Return rows of 1, 2 and 1 tokens; the second rank has two of them, with an uncounted row between them."""
    loss_mat = torch.tensor([[3.0, 7.0], [4.0, 8.0], [7.0, 7.0], [9.0, 7.0]])
    mask = torch.tensor([[True, False], [True, True], [False, False], [True, False]])
    args = {"loss_mat": loss_mat, "mask": mask, "mode": mode, "ranks": [[(0, 1, 2)], [(1, 4, 2)]]}
    expected = {"loss": sum(of_rank) / 2, "by_rank": of_rank, "can_go_backward": True}
    return Case(name=name, args=args, grads=("loss_mat",), visible=True, expected=expected)


def uneven(rng):
    """Return rows for three ranks, the last with two microbatches; one row in the middle is not counted."""
    first = [[randint(rng, 1, 2), 1, 2]]
    second = [[randint(rng, 14, 20), 0]]
    return [first, second, [[randint(rng, 5, 7)], [3, randint(rng, 9, 12)]]]


def double_precision(rng):
    drawn = case("", rng, "seq-mean-token-mean", uneven(rng))
    args = {**drawn.args, "loss_mat": drawn.args["loss_mat"].double()}
    return Case(name="double_precision", args=args, grads=("loss_mat",))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield four_tokens()
    # The rows' means are 3, 6 and 9, their sums 3, 12 and 9; each has a weight of two thirds for two ranks and three
    # rows.
    yield three_rows("three_rows_mean", "seq-mean-token-mean", [2.0, 10.0])
    yield three_rows("three_rows_sum", "seq-mean-token-sum", [2.0, 14.0])
    yield case("token_mean", rng, "token-mean", uneven(rng))
    yield case("row_means", rng, "seq-mean-token-mean", uneven(rng))
    yield case("row_sums", rng, "seq-mean-token-sum", uneven(rng))
    yield case("empty_rank", rng, "seq-mean-token-mean", [[[0, 0]], [[randint(rng, 3, 9), 2], [0]]], PADDING)
    yield case("one_rank", rng, "token-mean", [[[1, randint(rng, 8, 12)], [4, 2]]], PADDING)
    yield double_precision(rng)
