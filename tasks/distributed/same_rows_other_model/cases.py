"""The expected values are those of one process with all ranks' rows, computed in float64 without any collective."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank, Relation

STEPS = 8
VOCABULARY = 7


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def rows_of(rng, spans):
    """Return one rank's batch; `spans` has the start and end of each row's answer."""
    begins, ends = (torch.tensor(side)[:, None] for side in zip(*spans, strict=True))
    position = torch.arange(STEPS)
    return {
        "tokens": torch.randint(0, VOCABULARY, (len(spans), STEPS), generator=rng),
        "is_answer": (position >= begins) & (position < ends),
    }


def case(name, rng, ranks, **more):
    batches = [rows_of(rng, spans) for spans in ranks]
    args = {
        "embed": torch.randn(VOCABULARY, 4, generator=rng),
        "head": torch.randn(VOCABULARY, 4, generator=rng),
        "lr": 0.5,
        **{key: PerRank(tuple(batch[key] for batch in batches)) for key in batches[0]},
    }
    return Case(name=name, args=args, world=len(ranks), **more)


def expected(case: Case):
    """Return the results of one process with the rows of all ranks."""
    embed, head = (case.args[name].double().requires_grad_() for name in ("embed", "head"))
    tokens, is_answer = (torch.cat(case.args[name].values) for name in ("tokens", "is_answer"))
    losses = []
    for row, is_wanted in zip(tokens, is_answer, strict=True):
        for t in is_wanted[1:].nonzero()[:, 0].tolist():
            logits = head @ embed[row[t]]
            losses.append(logits.logsumexp(dim=0) - logits[row[t + 1]])
    loss = torch.stack(losses).mean()
    loss.backward()
    parameters = {"embed": embed, "head": head}
    after = {name: (x - case.args["lr"] * x.grad).detach() for name, x in parameters.items()}
    return {"loss": loss.item(), "parameters": after}


def rotate_ranks(args):
    per_rank = {name: x.values for name, x in args.items() if isinstance(x, PerRank)}
    return {**args, **{name: PerRank((*values[1:], values[0])) for name, values in per_rank.items()}}


ROTATED = Relation(
    name="ranks_rotated",
    says="It does not matter which rank holds which rows.",
    change=rotate_ranks,
)


def three_tokens():
    """Return two answer tokens on rank 0 and one on rank 1, with probabilities 3/4, 1/2 and 1/4."""
    args = {
        "embed": torch.tensor([[0.0], [1.0]]),
        "head": torch.tensor([[math.log(3)], [0.0]]),
        "lr": 1.2,
        "tokens": PerRank((torch.tensor([[1, 0, 1]]), torch.tensor([[0, 1, 1]]))),
        "is_answer": PerRank((torch.tensor([[False, True, True]]), torch.tensor([[False, False, True]]))),
    }
    # Rank 0 predicts 0 from 1 (probability 3/4), then 1 from 0 (1/2); rank 1 predicts 1 from 1 (1/4). d/d head[0]: (3/4
    # - 1) * 1, (1/2) * 0, (3/4) * 1, their mean 1/6; head[1] has the opposite gradient. d/d embed: token 1: -ln 3 / 4 +
    # 3 ln 3 / 4 = ln 3 / 2, token 0: ln 3 / 2, each over three.
    ln3 = math.log(3)
    embed = torch.tensor([[-0.2 * ln3], [1 - 0.2 * ln3]], dtype=torch.float64)
    head = torch.tensor([[ln3 - 0.2], [0.2]], dtype=torch.float64)
    result = {"loss": math.log(32 / 3) / 3, "parameters": {"embed": embed, "head": head}}
    return Case(name="three_tokens", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    ranks = [[(1, 8), (2, 8), (1, randint(rng, 6, 8))], [(3, randint(rng, 4, 5)), (6, 7)]]
    return case("two_ranks", rng, ranks, relations=(ROTATED,))


def answers_from_start(rng):
    """Return the same number of predictions on both ranks, so that only the count itself can be wrong."""
    length = randint(rng, 5, 7)
    return case("answers_from_start", rng, [[(0, length), (2, 5)], [(0, length), (4, 7)]])


def rank_without_answers(rng):
    return case("rank_without_answers", rng, [[(2, 2), (5, 5)], [(1, randint(rng, 4, 8)), (3, 5)]])


def four_ranks(rng):
    ranks = [[(1, 8), (2, randint(rng, 6, 8))], [(2, 3)], [(1, randint(rng, 3, 4)), (2, 6), (5, 8)], [(7, 8)]]
    return case("four_ranks", rng, ranks)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_tokens()
    yield two_ranks(rng)
    yield answers_from_start(rng)
    yield rank_without_answers(rng)
    yield four_ranks(rng)
