"""Records differ from the router's own choice in many rows; a token's logits are at least a tenth apart."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def draw_logits(rng, tokens, experts):
    """Return logits in which each row is a shuffled sequence with uneven steps."""
    steps = (0.1 + 0.3 * torch.rand(tokens, experts, generator=rng)).cumsum(dim=1) - 1.5
    order = torch.rand(tokens, experts, generator=rng).argsort(dim=1)
    return steps.gather(1, order)


def draw_replay(rng, logits, k, first=0):
    """Return a record that is empty before row `first`.

    That row is in descending order of expert index, the next one in ascending order of logit.
    """
    replay = torch.rand(logits.shape, generator=rng).argsort(dim=1)[:, :k]
    replay[:first] = -1
    replay[first] = replay[first].sort(descending=True).values
    replay[first + 1] = replay[first + 1][logits[first + 1, replay[first + 1]].argsort()]
    return replay


def case(name, logits, k, **more):
    replay = more.pop("replay", None)
    return Case(name=name, args={"logits": logits, "k": k, "replay": replay}, **{"grads": ("logits",), **more})


def poison_unused(args):
    is_used = torch.zeros_like(args["logits"], dtype=torch.bool).scatter(1, args["replay"], True)
    poison = torch.tensor([1e9, -1e9])[torch.arange(is_used.numel()).reshape(is_used.shape) % 2]
    return {**args, "logits": torch.where(is_used, args["logits"], poison)}


def shift(args):
    return {**args, "logits": args["logits"] + torch.arange(len(args["logits"]))[:, None] % 3}


UNUSED = Relation(
    name="unused_poisoned",
    says="1e9 and -1e9 as logits of experts that the record leaves out change nothing.",
    change=poison_unused,
)
SHIFTED = Relation(
    name="logits_shifted",
    says="A number added to all logits of a token changes nothing that is compared exactly.",
    change=shift,
    expect=lambda out: {"experts": out["experts"], "is_refused": out["is_refused"]},
)
OWN_CHOICE = Relation(
    name="own_choice_replayed",
    says="A record that equals the fresh choice changes nothing, the gradient included.",
    change=lambda args: {**args, "replay": args["logits"].topk(args["k"]).indices},
)
REVERSED = Relation(
    name="tokens_reversed",
    says="Tokens do not know of each other.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {name: out[name].flip(0) for name in ("gates", "experts")},
)


def literal(name, replay, experts, gates):
    expected = {"gates": [gates], "experts": [experts], "is_refused": False}
    logits = torch.tensor([[2.0, 1.0, 0.0, -1.0]])
    return case(name, logits, 2, replay=replay, visible=True, expected=expected)


def by_hand():
    """Yield logits 2, 1, 0, -1: gates are logistic functions of a difference of 1 and of 2."""
    near, far = 1 / (1 + math.exp(-1)), 1 / (1 + math.exp(-2))
    yield literal("no_record", None, [0, 1], [near, 1 - near])
    yield literal("record", torch.tensor([[2, 0]]), [2, 0], [1 - far, far])
    yield literal("empty_record", torch.tensor([[-1, -1]]), [0, 1], [near, 1 - near])


def refused(name, sound, row):
    """Return a valid row followed by one that must be rejected."""
    logits, k = torch.tensor([[2.0, 1.0, 0.0, -1.0], [0.0, 1.0, 2.0, 3.0]]), len(row)
    nothing = {"gates": [[0.0] * k] * 2, "experts": [[0] * k] * 2, "is_refused": True}
    return case(name, logits, k, replay=torch.tensor([sound, row]), grads=(), visible=True, expected=nothing)


def unsound():
    """Yield records that must be rejected."""
    yield refused("one_twice", [0, 3, 1], [3, 1, 3])
    yield refused("out_of_range", [0, 3], [4, 1])
    yield refused("half_a_row", [0, 3], [2, -1])
    yield refused("below_range", [0, 3], [-2, -3])
    yield refused("first_missing", [0, 3], [-1, 2])
    yield refused("middle_missing", [0, 3, 1], [2, -1, 0])
    yield refused("above_last_expert", [0, 3], [1, 7])


def fresh(rng):
    logits = draw_logits(rng, randint(rng, 6, 9), 8)
    logits[0] = logits[0].sort().values
    return case("fresh", logits, randint(rng, 2, 3), relations=(SHIFTED, OWN_CHOICE, REVERSED))


def replayed(rng):
    """Return a record for every token, with logits that are a view of transposed storage."""
    tokens, k = randint(rng, 6, 9), randint(rng, 2, 3)
    logits = draw_logits(rng, tokens, 8).T.contiguous().T
    return case("replayed", logits, k, replay=draw_replay(rng, logits, k), relations=(UNUSED, REVERSED))


def prompt_and_answer(rng):
    tokens, prompt, k = randint(rng, 8, 10), randint(rng, 3, 5), randint(rng, 2, 3)
    logits = draw_logits(rng, tokens, 8)
    replay = draw_replay(rng, logits, k, first=prompt)
    return case("prompt_and_answer", logits, k, replay=replay, relations=(SHIFTED, REVERSED))


def one_expert(rng):
    """Return a top-1 router, whose only gate is 1 regardless of the logits."""
    tokens = randint(rng, 6, 9)
    logits = draw_logits(rng, tokens, 5)
    replay = draw_replay(rng, logits, 1)
    expected = {"gates": torch.ones(tokens, 1), "experts": replay, "is_refused": False}
    return case("one_expert", logits, 1, replay=replay, grads=(), expected=expected)


def double_precision(rng):
    tokens, k = randint(rng, 6, 9), 2
    logits = draw_logits(rng, tokens, 8).double()
    return case("double_precision", logits, k, replay=draw_replay(rng, logits, k, first=2))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield from unsound()
    yield fresh(rng)
    yield replayed(rng)
    yield prompt_and_answer(rng)
    yield one_expert(rng)
    yield double_precision(rng)
