"""Compute grows with every sequence, but so does the read of the KV cache, so a long context has no ridge."""

from bisect import bisect_left
from math import ceil


def decode_roofline(model, hardware, batch, ctx):
    """Return the time of one decode step, its throughput, and the batch size from which it is compute-bound.

    Units: "bw" in bytes per second, "flops" in FLOP/s, "alpha" in seconds, the result's "ms" in milliseconds.
    Source: arXiv:2211.05102, section 2; the all-reduces: arXiv:1909.08053, section 3.
    """
    experts, tp = model["experts"], hardware["tp"]
    bandwidth, flops = tp * hardware["bw"], tp * hardware["flops"]
    # The probability that a token is not sent to a given expert.
    missed = 1 - model["top_k"] / experts if experts else 0.0
    bytes_of_experts = experts * model["expert_bytes"]
    kv_of_one = ctx * model["kv_per_tok"] / bandwidth
    compute_of_one = 2 * model["active_params"] / flops

    def reading(size):
        return (model["weight_bytes"] + (1 - missed**size) * bytes_of_experts) / bandwidth + size * kv_of_one

    def is_compute_bound(size):
        return size * compute_of_one > reading(size)

    all_reduces = 2 * model["layers"] if tp > 1 else 0
    seconds = max(reading(batch), batch * compute_of_one) + all_reduces * hardware["alpha"]
    ridge = -1
    if compute_of_one > kv_of_one:
        # At this size, a step is compute-bound even if it reads all experts. Once it is, it stays so with more
        # sequences, because each sequence that is added touches fewer new experts.
        enough = ceil((model["weight_bytes"] + bytes_of_experts) / bandwidth / (compute_of_one - kv_of_one))
        ridge = bisect_left(range(enough), True, key=is_compute_bound)
    return {
        "ms": 1e3 * seconds,
        "tok_s": batch / seconds,
        "compute_bound": is_compute_bound(batch),
        "ridge_batch": ridge,
    }
