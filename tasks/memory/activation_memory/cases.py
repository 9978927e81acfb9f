"""The cases by hand have one well-known shape; the random ones have all kinds of parallelism with different degrees."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


WHOLE = {"s": 4096, "b": 1, "h": 4096, "a": 32, "L": 32, "t": 1, "p": 1, "cp": 1, "V": 0, "stage": 0}
PLAIN = {"recompute": "none", "flash": False, "sp": False}
SBH = 4096 * 4096


def literal(name, expected, **more):
    return Case(name=name, args={**WHOLE, **PLAIN, **more}, visible=True, expected=expected)


def by_hand():
    """Yield cases with 32 layers: a layer stores 34 sbh bytes, and its scores are 5 * 32 * s * s = 160 sbh."""
    yield literal("nothing_saved", 32 * 194.0 * SBH)
    yield literal("fused", 32 * 34.0 * SBH, flash=True)
    yield literal("scores_recomputed", (32 * 34 + 160.0) * SBH, recompute="selective")
    # The fused kernel always recomputes its scores, so nothing else is recomputed.
    yield literal("selective_fused", 32 * 34.0 * SBH, recompute="selective", flash=True)
    yield literal("layers_recomputed", (32 * 2 + 34.0) * SBH, recompute="full", flash=True)
    # 24 / 8 + 10 and 34 / 8.
    yield literal("tensor_only", 32 * 13.0 * SBH, flash=True, t=8)
    yield literal("sequence_parallel", 32 * 4.25 * SBH, flash=True, t=8, sp=True)
    # Four stages of eight layers: the first stores four microbatches, the third two.
    yield literal("first_stage", 4 * 8 * 34.0 * SBH, flash=True, p=4, V=128256)
    yield literal("third_stage", 2 * 8 * 34.0 * SBH, flash=True, p=4, stage=2, V=128256)
    last = 8 * 34.0 * SBH + 6 * 4096 * 128256
    # Small enough that a single byte matters: two microbatches of one layer, 34 * 4 bytes each.
    small = {"s": 2, "h": 2, "a": 1, "L": 2, "p": 2, "V": 1}
    yield literal("small_enough_to_count", 272.0, flash=True, **small)
    yield literal("last_stage", last, flash=True, p=4, stage=3, V=128256)


def drawn(name, rng, **more):
    p, cp = randint(rng, 4, 6), 2 ** randint(rng, 1, 2)
    t = 2 * cp  # different, so that a program that confuses them fails
    sizes = {
        "s": cp * 128 * randint(rng, 8, 24),
        "b": randint(rng, 2, 4),
        "h": 128 * randint(rng, 16, 40),
        "a": t * randint(rng, 3, 6),
        "L": p * randint(rng, 4, 9),
        "V": 0,
    }
    return Case(name=name, args={**sizes, **PLAIN, "t": t, "p": p, "cp": cp, "stage": 1, **more})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield drawn("all_kept", rng)
    yield drawn("all_kept_in_pieces", rng, sp=True)
    yield drawn("selective_drawn", rng, recompute="selective", sp=True)
    yield drawn("full_drawn", rng, recompute="full")
    yield drawn("full_in_pieces", rng, recompute="full", sp=True)
    yield drawn(
        "logits_in_pieces", rng, recompute="full", flash=True, L=4, p=2, stage=1, V=randint(rng, 120, 160) * 1000
    )
