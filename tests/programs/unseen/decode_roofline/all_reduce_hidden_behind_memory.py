# expect: wrong
# mistake: The all-reduces are added to the compute time before the maximum with the memory time is taken for the step time, so they overlap with memory reads, instead of being added after the maximum.
def expected_experts(model, b):
    if not model["experts"]:
        return 0.0
    return model["experts"] * (1 - (1 - model["top_k"] / model["experts"]) ** b)


def mem_seconds(model, hw, b, ctx):
    n_bytes = model["weight_bytes"]
    n_bytes += expected_experts(model, b) * model["expert_bytes"]
    n_bytes += b * ctx * model["kv_per_tok"]
    return n_bytes / (hw["tp"] * hw["bw"])


def compute_seconds(model, hw, b):
    return 2 * model["active_params"] * b / (hw["tp"] * hw["flops"])


def find_ridge(model, hw, ctx):
    if 2 * model["active_params"] / hw["flops"] <= ctx * model["kv_per_tok"] / hw["bw"]:
        return -1
    hi = 1
    while compute_seconds(model, hw, hi) <= mem_seconds(model, hw, hi, ctx):
        hi *= 2
    lo = hi // 2
    while hi - lo > 1:
        mid = (hi + lo) // 2
        if compute_seconds(model, hw, mid) > mem_seconds(model, hw, mid, ctx):
            hi = mid
        else:
            lo = mid
    return hi


def decode_roofline(model, hardware, batch, ctx):
    t_mem = mem_seconds(model, hardware, batch, ctx)
    t_comp = compute_seconds(model, hardware, batch)
    t_comm = 2 * model["layers"] * hardware["alpha"] if hardware["tp"] > 1 else 0.0
    step = max(t_mem, t_comp + t_comm)
    return {
        "ms": step * 1000,
        "tok_s": batch / step,
        "compute_bound": t_comp > t_mem,
        "ridge_batch": find_ridge(model, hardware, ctx),
    }
