"""In the random cases, the two times of a step are equal at a batch size of n + 0.4, which no rounding can change."""

from collections.abc import Iterator

import torch

from tasks.task import Case

# A bf16 model with 8.03e9 parameters and 8 key-value heads, on one H100; with one GPU, no all-reduce takes place.
EIGHT_BILLION = {
    "weight_bytes": 16.06e9,
    "experts": 0,
    "top_k": 0,
    "expert_bytes": 0,
    "active_params": 8.03e9,
    "kv_per_tok": 131072,
    "layers": 32,
}
ONE_GPU = {"bw": 3.35e12, "flops": 989e12, "tp": 1, "alpha": 20e-6}


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def uniform(rng, low, high):
    return low + (high - low) * float(torch.rand((), generator=rng, dtype=torch.float64))


def by_hand(name, batch, ctx, ms, compute_bound, ridge_batch, model=None, hardware=None):
    args = {"model": {**EIGHT_BILLION, **(model or {})}, "hardware": {**ONE_GPU, **(hardware or {})}}
    expected = {"ms": ms, "tok_s": 1e3 * batch / ms, "compute_bound": compute_bound, "ridge_batch": ridge_batch}
    return Case(name=name, args={**args, "batch": batch, "ctx": ctx}, visible=True, expected=expected)


def literals():
    """Yield steps whose times follow from 16.06 GB of weights, 16.06e9 FLOPs per token and the bytes of the cache."""
    one_ctx = 131072 / 3.35e12
    # 16.06e9 / 3.35e12 = 4.794 ms, and 16.06e9 / 989e12 = 0.016239 ms per sequence: the ridge is at 295.2.
    yield by_hand("weights_alone", 1, 0, 1e3 * 16.06e9 / 3.35e12, False, 296)
    # 34.36 GB of cache. One sequence's cache takes 0.16 ms, more than its 0.016 ms of compute.
    yield by_hand("long_context", 64, 4096, 1e3 * (16.06e9 / 3.35e12 + 64 * 4096 * one_ctx), False, -1)
    # One sequence's cache takes 0.010016 ms: 4.794030 / (0.016239 - 0.010016) = 770.5.
    yield by_hand("short_context", 512, 256, 1e3 * (16.06e9 / 3.35e12 + 512 * 256 * one_ctx), False, 771)
    yield by_hand("large_batch", 512, 0, 1e3 * 512 * 16.06e9 / 989e12, True, 296)
    # A fourth of 15.050668 ms, and 64 all-reduces of 0.02 ms.
    four = {"tp": 4}
    yield by_hand("four_gpus", 64, 4096, 250 * (16.06e9 / 3.35e12 + 64 * 4096 * one_ctx) + 1.28, False, -1, None, four)
    # An eighth of 4.794030 ms, less than the 64 all-reduces.
    yield by_hand("eight_gpus", 1, 0, 125 * 16.06e9 / 3.35e12 + 1.28, False, 296, None, {"tp": 8})
    # Two tokens touch 4 * (1 - 0.75 ** 2) = 1.75 experts on average: 10 + 14 + 0.04 GB. With all experts, 21 ms of
    # weights are equal to the compute of 21 / (0.036 - 0.010) = 807.7 sequences.
    moe = {"weight_bytes": 10e9, "experts": 4, "top_k": 1, "expert_bytes": 8e9, "active_params": 9e9}
    slow = {"bw": 2e12, "flops": 500e12}
    yield by_hand("two_tokens", 2, 1000, 12.02, False, 808, {**moe, "kv_per_tok": 20000}, slow)


def drawn(name, rng, ridge, batch, *, cache, experts=0, top_k=0, experts_share=0.0, tp=1):
    """Return a case with the given real-valued ridge; `cache` is one sequence's cache read divided by its compute.

    At the ridge, `experts_share` of the bytes of the weights that are read belong to routed experts.
    """
    bw, active = 1e11 * randint(rng, 10, 80), 1e6 * randint(rng, 3_000, 60_000)
    flops = bw * uniform(rng, 250, 600)
    kv_per_tok, compute = 1024 * randint(rng, 20, 130), 2 * active / flops
    ctx = round(cache * compute * bw / kv_per_tok)
    # The compute of `ridge` sequences minus the read of their cache; it is negative if no ridge exists.
    weights = ridge * (compute * bw - ctx * kv_per_tok) if cache < 1 else ridge * compute * bw
    touched = experts * (1 - (1 - top_k / experts) ** ridge) if experts else 1
    model = {
        "weight_bytes": round((1 - experts_share) * weights),
        "experts": experts,
        "top_k": top_k,
        "expert_bytes": round(experts_share * weights / touched),
        "active_params": active,
        "kv_per_tok": kv_per_tok,
        "layers": randint(rng, 20, 90),
    }
    hardware = {"bw": bw, "flops": flops, "tp": tp, "alpha": 1e-6 * randint(rng, 5, 30)}
    return Case(name=name, args={"model": model, "hardware": hardware, "batch": batch, "ctx": ctx})


def random_cases(rng):
    many = randint(rng, 600, 900) + 0.4
    yield drawn("dense_small_batch", rng, many, randint(rng, 20, 60), cache=uniform(rng, 0.3, 0.4))
    yield drawn("dense_large_batch", rng, many, randint(rng, 1000, 1500), cache=uniform(rng, 0.3, 0.4), tp=2)
    yield drawn("dense_never", rng, many, randint(rng, 20, 60), cache=uniform(rng, 1.5, 3))
    # Both batches touch some of the experts, and so does the batch at the ridge.
    some = {"experts": 128, "top_k": 2, "experts_share": 0.7, "cache": uniform(rng, 0.1, 0.3)}
    few = randint(rng, 60, 90) + 0.4
    yield drawn("some_experts", rng, few, randint(rng, 5, 12), **some)
    yield drawn("some_experts_large_batch", rng, few, randint(rng, 150, 200), **some, tp=8)
    fine = {"experts": 256, "top_k": 8, "experts_share": 0.9}
    yield drawn("most_experts", rng, many, 64, cache=uniform(rng, 0.3, 0.4), **fine, tp=4)
    yield drawn("one_token", rng, many, 1, cache=uniform(rng, 0.3, 0.4), **fine)
    yield drawn("experts_never", rng, many, randint(rng, 20, 60), cache=uniform(rng, 1.5, 3), **fine)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield from random_cases(rng)
