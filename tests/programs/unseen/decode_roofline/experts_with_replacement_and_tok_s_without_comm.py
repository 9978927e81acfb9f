# expect: wrong
# mistake: The chance that an expert is idle is (1 - 1/experts) ** (batch * top_k), as if a token could choose an expert twice, and tok_s leaves the all-reduces out of the step time.
def decode_roofline(model, hardware, batch, ctx):
    gpus = hardware["tp"]
    agg_bw = gpus * hardware["bw"]
    agg_flops = gpus * hardware["flops"]

    def mem(b):
        t = model["weight_bytes"] + ctx * b * model["kv_per_tok"]
        if model["experts"] > 0:
            n = model["experts"]
            t += n * (1 - (1 - 1 / n) ** (b * model["top_k"])) * model["expert_bytes"]
        return t / agg_bw

    def comp(b):
        return 2 * b * model["active_params"] / agg_flops

    core = max(mem(batch), comp(batch))
    comm = 2 * model["layers"] * hardware["alpha"] if gpus > 1 else 0

    if 2 * model["active_params"] / agg_flops > ctx * model["kv_per_tok"] / agg_bw:
        lo, hi = 0, 1
        while comp(hi) <= mem(hi):
            lo, hi = hi, 2 * hi
        while hi - lo > 1:
            mid = (lo + hi) >> 1
            lo, hi = (lo, mid) if comp(mid) > mem(mid) else (mid, hi)
        ridge = hi
    else:
        ridge = -1

    return {
        "ms": (core + comm) * 1000,
        "tok_s": batch / core,
        "compute_bound": comp(batch) > mem(batch),
        "ridge_batch": ridge,
    }
