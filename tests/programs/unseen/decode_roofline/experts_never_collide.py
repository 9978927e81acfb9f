# expect: wrong
# mistake: The number of experts read is min(experts, batch * top_k), as if tokens never chose the same expert, instead of the expected number of different experts.
def decode_roofline(model, hardware, batch, ctx):
    n = hardware["tp"]

    def times(b):
        touched = min(model["experts"], b * model["top_k"])
        bytes_read = (
            model["weight_bytes"]
            + touched * model["expert_bytes"]
            + b * ctx * model["kv_per_tok"]
        )
        flop = 2 * model["active_params"] * b
        return bytes_read / (n * hardware["bw"]), flop / (n * hardware["flops"])

    t_mem, t_cmp = times(batch)
    t = max(t_mem, t_cmp)
    if n > 1:
        t += 2 * model["layers"] * hardware["alpha"]

    per_seq_mem = ctx * model["kv_per_tok"] / hardware["bw"]
    per_seq_cmp = 2 * model["active_params"] / hardware["flops"]
    ridge = -1
    if per_seq_cmp > per_seq_mem:
        hi = 1
        while True:
            a, b = times(hi)
            if b > a:
                break
            hi *= 2
        lo = 0
        while lo + 1 < hi:
            mid = (lo + hi) // 2
            a, b = times(mid)
            if b > a:
                hi = mid
            else:
                lo = mid
        ridge = hi
    return {"ms": 1000 * t, "tok_s": batch / t, "compute_bound": t_cmp > t_mem, "ridge_batch": ridge}
