from fractions import Fraction
from math import floor


def decode_roofline(model, hardware, batch, ctx):
    bandwidth, speed = Fraction(hardware["bw"]), Fraction(hardware["flops"])
    tp, experts = hardware["tp"], model["experts"]
    per_token = 2 * Fraction(model["active_params"]) / speed
    per_cache = ctx * Fraction(model["kv_per_tok"]) / bandwidth

    def weights(size):
        share_used = 1 - (1 - model["top_k"] / experts) ** size if experts else 0
        return (Fraction(model["weight_bytes"]) + Fraction(share_used) * experts * Fraction(model["expert_bytes"])) / bandwidth

    memory, compute = weights(batch) + batch * per_cache, batch * per_token
    time = max(memory, compute) / tp
    if tp > 1:
        time += model["layers"] * 2 * Fraction(hardware["alpha"])

    ridge = -1
    if per_token > per_cache:
        # The time for the weights only grows with the size: go up until it no longer asks for more.
        ridge, following = 0, 1
        while following > ridge:
            ridge = following
            following = floor(weights(ridge) / (per_token - per_cache)) + 1
    return {
        "ms": float(1000 * time),
        "tok_s": float(batch / time),
        "compute_bound": compute > memory,
        "ridge_batch": ridge,
    }
