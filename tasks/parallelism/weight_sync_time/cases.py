"""The random cases scale fixed patterns of tensors, so the same stage of a bucket is the slower one for every seed."""

from collections.abc import Iterator

import torch

from tasks.task import Case

RATES = {"bw_gather": 50e9, "quant_rate": 200e9, "bw_broadcast": 25e9}
# One bucket holds 100 units of a pattern.
UNITS = 100
MIXED = (
    *(("replicated", 10), ("dense", 50), ("dense", 40), ("expert", 90), ("replicated", 5), ("dense", 60)),
    *(("dense", 30), ("expert", 80), ("dense", 20), ("expert", 130), ("replicated", 30), ("dense", 70)),
)
UNEVEN = (
    *(("replicated", 100), ("replicated", 90), ("replicated", 80), ("replicated", 70), ("expert", 100)),
    *(("dense", 95), ("replicated", 100), ("replicated", 85), ("expert", 90), ("replicated", 60)),
)
DENSE = tuple(("dense", units) for units in (30, 30, 30, 30, 60, 40, 100, 10, 70, 5))
OVERSIZE_FIRST = (("expert", 250), ("replicated", 20), ("dense", 70), ("dense", 30), ("replicated", 40), ("expert", 80))


def by_hand(name, expected, tensors, **more):
    args = {"tensors": tensors, "tp": 8, "ep": 8, "bucket": 1_000_000_000, **RATES, "n_engines": 4, **more}
    return Case(name=name, args=args, visible=True, expected=expected)


def literals():
    equal = [(500_000_000, "dense")] * 40
    # 20 buckets: 17.5 ms to gather and 5 ms to quantize, then 20 ms to broadcast in fp8, or 40 ms in bf16.
    yield by_hand("equal_buckets", (0.85, 0.47, 2_000_000_000), equal)
    yield by_hand("equal_buckets_bf16", (1.15, 0.8175, 2_000_000_000), equal, quant_rate=None)
    # 6 + 5.25 ms to gather, 3.5 ms to quantize 700 MB, and 22 ms to broadcast 200 + 200 + 150 MB.
    small = [(200_000_000, "replicated"), (400_000_000, "dense"), (300_000_000, "expert")]
    yield by_hand("one_bucket", (0.03675, 0.03675, 1_800_000_000), small, tp=4)
    # Three buckets: 9, 26.25 and 6 ms to gather; 24, 60 and 16 ms to broadcast.
    oversize = [(600_000_000, "dense"), (1_500_000_000, "expert"), (400_000_000, "dense")]
    yield by_hand("oversize_tensor", (0.14125, 0.11125, 3_000_000_000), oversize, tp=4, quant_rate=None)


def drawn(name, rng, pattern, *, tp, ep, gather, quant, broadcast):
    """Return a case with this pattern; the rates are in buckets per second before scaling, and `quant` may be None."""
    unit = 2 * int(torch.randint(1_000_000, 9_000_000, (), generator=rng))
    scale = UNITS * unit * (0.5 + float(torch.rand((), generator=rng)))
    args = {
        "tensors": [(units * unit, kind) for kind, units in pattern],
        "tp": tp,
        "ep": ep,
        "bucket": UNITS * unit,
        "bw_gather": gather * scale,
        "quant_rate": None if quant is None else quant * scale,
        "bw_broadcast": broadcast * scale,
        "n_engines": int(torch.randint(3, 17, (), generator=rng)),
    }
    return Case(name=name, args=args)


def random_cases(rng):
    yield drawn("mixed", rng, MIXED, tp=4, ep=16, gather=40, quant=150, broadcast=20)
    yield drawn("mixed_slow_quantization", rng, MIXED, tp=2, ep=8, gather=60, quant=35, broadcast=30)
    yield drawn("uneven", rng, UNEVEN, tp=4, ep=8, gather=18, quant=60, broadcast=40)
    yield drawn("dense_bf16", rng, DENSE, tp=4, ep=8, gather=25, quant=None, broadcast=33)
    yield drawn("whole_on_each_rank", rng, MIXED, tp=1, ep=1, gather=40, quant=45, broadcast=20)
    yield drawn("oversize_first", rng, OVERSIZE_FIRST, tp=8, ep=4, gather=30, quant=None, broadcast=40)
    yield drawn("oversize_first_fp8", rng, OVERSIZE_FIRST, tp=8, ep=4, gather=30, quant=90, broadcast=15)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield from random_cases(rng)
