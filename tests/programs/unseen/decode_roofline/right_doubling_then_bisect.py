# expect: right
def decode_roofline(model, hardware, batch, ctx):
    tp = hardware["tp"]
    bw = hardware["bw"] * tp
    flops = hardware["flops"] * tp

    def memory_time(b):
        total = model["weight_bytes"] + b * ctx * model["kv_per_tok"]
        if model["experts"]:
            miss = 1.0 - model["top_k"] / model["experts"]
            total += model["expert_bytes"] * model["experts"] * (1.0 - miss**b)
        return total / bw

    def compute_time(b):
        return 2.0 * model["active_params"] * b / flops

    comm = 2 * model["layers"] * hardware["alpha"] if tp > 1 else 0.0
    t_mem, t_comp = memory_time(batch), compute_time(batch)
    seconds = max(t_mem, t_comp) + comm

    # compute - memory is convex in the batch size and negative at 0: it crosses zero at most once.
    slope = 2.0 * model["active_params"] / flops - ctx * model["kv_per_tok"] / bw
    if slope <= 0:
        ridge = -1
    else:
        hi = 1
        while compute_time(hi) <= memory_time(hi):
            hi *= 2
        lo = hi // 2
        while hi - lo > 1:
            mid = (lo + hi) // 2
            if compute_time(mid) > memory_time(mid):
                hi = mid
            else:
                lo = mid
        ridge = hi

    return {
        "ms": seconds * 1e3,
        "tok_s": batch / seconds,
        "compute_bound": bool(t_comp > t_mem),
        "ridge_batch": ridge,
    }
