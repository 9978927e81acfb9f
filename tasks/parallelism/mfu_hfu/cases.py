"""The cases by hand are one run at 10,000 tokens per second and GPU; in the others, all sizes differ."""

from collections.abc import Iterator

import torch

from tasks.task import Case

DENSE = {
    "params": 8_030_000_000,
    "embedding": 0,
    "experts": 0,
    "top_k": 0,
    "expert_params": 0,
    "layers": 32,
    "heads": 32,
    "head_dim": 128,
    "causal": True,
}
# 30.5e9 - 0.3e9 - 120 * 0.225e9 = 3.2e9 parameters are multiplied for each token.
SPARSE = {"params": 30_500_000_000, "embedding": 300_000_000, "experts": 128, "top_k": 8, "expert_params": 225_000_000}
JOB = {"tokens_per_s": 640_000, "gpus": 64, "sheet_peak": 1978e12, "s": 4096}


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def by_hand(name, flops, flops_spent, model=None, **more):
    """Return a case whose FLOPs per token are known, at 10,000 tokens per second on a GPU with 989e12 FLOP/s."""
    expected = (1e4 * flops / 989e12, 1e4 * flops_spent / 989e12)
    args = {"model": {**DENSE, **(model or {})}, **JOB, **more}
    return Case(name=name, args=args, visible=True, expected=expected)


def literals():
    # Causal attention takes 2 * 4096 tokens * 32 layers * 4096 values = 1,073,741,824 FLOPs per token.
    attention = 1_073_741_824
    forward = 16.06e9 + attention
    yield by_hand("nothing_recomputed", 3 * forward, 3 * forward)
    yield by_hand("attention_recomputed", 3 * forward, 3 * forward + attention, recompute="selective")
    yield by_hand("all_recomputed", 3 * forward, 4 * forward, recompute="full")
    yield by_hand("forward_only", forward, forward, phase="forward", recompute="full")
    forward = 6.4e9 + attention
    yield by_hand("experts", 3 * forward, 4 * forward, SPARSE, recompute="full")
    forward = 16.06e9 + 2 * attention
    yield by_hand("both_directions", 3 * forward, 3 * forward, {"causal": False})


def drawn(name, rng, *, causal=True, moe=False, **more):
    """Return a case in which attention, the embedding and the experts each take a good part of the parameters."""
    layers, heads, head_dim = randint(rng, 20, 60), randint(rng, 20, 60), 16 * randint(rng, 4, 12)
    h = heads * head_dim
    experts, top_k = (randint(rng, 40, 130), randint(rng, 2, 9)) if moe else (0, 0)
    expert_params = layers * h * randint(rng, 2000, 4000) if moe else 0
    embedding = h * randint(rng, 60_000, 150_000)
    shared = 12 * layers * h * h
    model = {
        "params": shared + embedding + experts * expert_params,
        "embedding": embedding,
        "experts": experts,
        "top_k": top_k,
        "expert_params": expert_params,
        "layers": layers,
        "heads": heads,
        "head_dim": head_dim,
        "causal": causal,
    }
    gpus = randint(rng, 16, 512)
    job = {"tokens_per_s": gpus * randint(rng, 2000, 4000), "gpus": gpus, "sheet_peak": 1e12 * randint(rng, 1300, 4600)}
    return Case(name=name, args={"model": model, **job, "s": 1024 * randint(rng, 5, 40), **more})


def random_cases(rng):
    yield drawn("long_sequences", rng)
    yield drawn("dense_selective", rng, causal=False, recompute="selective")
    yield drawn("dense_full", rng, recompute="full")
    yield drawn("moe_selective", rng, moe=True, recompute="selective")
    yield drawn("moe_full", rng, moe=True, causal=False, recompute="full")
    yield drawn("log_probabilities", rng, moe=True, phase="forward", recompute="selective")


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield from random_cases(rng)
