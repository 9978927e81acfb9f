"""`top_p` lies in the middle between two cumulative sums, so rounding never decides which tokens are kept."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def by_hand(name, logits, token, top_p, expected, keep_ids=None, **more):
    args = {"logits": torch.tensor(logits), "token": token, "top_p": top_p, **more}
    if keep_ids is not None:
        args["keep_ids"] = torch.tensor(keep_ids)
    grads = ("logits",) if math.isfinite(expected) else ()
    return Case(name=name, args=args, grads=grads, expected=expected, visible=True)


def log_share(gap, *others):
    """Return the log-probability of a token whose logit is `gap`, if the other kept logits are `others`."""
    return gap - math.log(sum(math.exp(logit) for logit in (gap, *others)))


def literals():
    logits = [2.0, 1.0, 0.0, -1.0]
    yield by_hand("crossing_token", logits, 1, 0.8, log_share(1, 2))
    yield by_hand("nothing_truncated", logits, 1, 1.0, log_share(1, 2, 0, -1))
    yield by_hand("outside", logits, 2, 0.8, -math.inf)
    yield by_hand("recorded", logits, 2, 0.8, log_share(0, 2), keep_ids=[2, 0])
    yield by_hand("warmer", logits, 1, 0.8, log_share(0.5, 1, 0), temperature=2.0)
    yield by_hand("one_kept", logits, 0, 0.3, 0.0)
    # Three tokens of 0.2970 each and one of 0.1091: two of the three are enough.
    yield by_hand("tied", [1.0, 1.0, 0.0, 1.0], 1, 0.5, math.log(0.5))
    yield by_hand("tied_outside", [1.0, 1.0, 0.0, 1.0], 3, 0.5, -math.inf)
    yield by_hand("tail", [0.0, -50.0, -1.0], 1, 1.0, log_share(-50, 0, -1))
    # At this distance, the log of the normalizer is exact in float32, so subtracting it loses no digits.
    distance = 1521 / 1024
    yield by_hand("huge_logits", [-1e4, 1e4 - distance, 1e4], 1, 0.9, log_share(-distance, 0))
    yield by_hand("unlikely_recorded", [150.0, 0.0, 149.0], 1, 0.5, -150.0, keep_ids=[0, 1])


def vocabulary(rng, temperature=1.0):
    """Return distinct logits in random order, their ids from likeliest to least likely, and the cumulative sums."""
    words = randint(rng, 22, 30)
    logits = 0.2 * torch.randperm(words, generator=rng) + 0.1 * torch.rand(words, generator=rng) - 2
    ranked = logits.argsort(descending=True)
    sums = (logits.double() / temperature).softmax(0)[ranked].cumsum(0)
    return logits, ranked, sums


def middle(sums, kept):
    """Return a top_p that keeps this many tokens."""
    return float(sums[kept - 2] + sums[kept - 1]) / 2


def reversed_words(args):
    """Return the vocabulary in reverse order."""
    words = len(args["logits"])
    changed = {**args, "logits": args["logits"].flip(0), "token": words - 1 - args["token"]}
    return changed if "keep_ids" not in args else {**changed, "keep_ids": words - 1 - args["keep_ids"]}


SHIFTED = Relation(
    name="logits_shifted",
    says="A constant added to all logits changes nothing.",
    change=lambda args: {**args, "logits": args["logits"] + 0.5},
)
REVERSED = Relation(
    name="words_reversed",
    says="The order of the words in the vocabulary does not matter.",
    change=reversed_words,
    expect=lambda out: {**out, "grad.logits": out["grad.logits"].flip(0)},
)


def large_vocabulary(rng):
    logits, ranked, sums = vocabulary(rng)
    kept = randint(rng, 6, 9)
    args = {"logits": logits, "token": int(ranked[randint(rng, 1, 3)]), "top_p": middle(sums, kept)}
    return Case(name="large_vocabulary", args=args, grads=("logits",), relations=(SHIFTED, REVERSED))


def sharpened(rng):
    """Return a temperature below 1, which leaves fewer tokens than the undivided logits would."""
    logits, ranked, sums = vocabulary(rng, 0.5)
    args = {"logits": logits, "token": int(ranked[1]), "top_p": middle(sums, 4), "temperature": 0.5}
    return Case(name="sharpened", args=args, grads=("logits",), relations=(REVERSED,))


def drifted(rng):
    """Return a recorded set that the new logits would not give: some of the likeliest tokens are not in it."""
    logits, ranked, sums = vocabulary(rng, 1.3)
    keep_ids = ranked[torch.tensor([9, 1, 6, 0, 4, 12])]
    args = {"logits": logits, "token": int(keep_ids[randint(rng, 3, 4)]), "top_p": middle(sums, 6)}
    args |= {"keep_ids": keep_ids, "temperature": 1.3}
    return Case(name="drifted", args=args, grads=("logits",), relations=(SHIFTED, REVERSED))


def drifted_out(rng):
    """Return a recorded token that the new logits would not keep."""
    logits, ranked, sums = vocabulary(rng)
    keep_ids = ranked[torch.tensor([2, 11, 0, 3, 5])]
    args = {"logits": logits, "token": int(keep_ids[1]), "top_p": middle(sums, 6), "keep_ids": keep_ids}
    return Case(name="drifted_out", args=args, grads=("logits",))


def double_precision(rng):
    logits, ranked, sums = vocabulary(rng)
    args = {"logits": logits.double(), "token": int(ranked[2]), "top_p": middle(sums, 5)}
    return Case(name="double_precision", args=args, grads=("logits",))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield large_vocabulary(rng)
    yield sharpened(rng)
    yield drifted(rng)
    yield drifted_out(rng)
    yield double_precision(rng)
