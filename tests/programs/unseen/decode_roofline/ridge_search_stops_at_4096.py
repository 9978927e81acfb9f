# expect: wrong
# mistake: The ridge batch is searched by trying batch sizes from 1 to 4096 only, so -1 is returned when the ridge is larger, instead of only when there is none.
def decode_roofline(model, hardware, batch, ctx):
    tp = hardware["tp"]
    E, K = model["experts"], model["top_k"]

    def step_times(b):
        hit = E * (1 - (1 - K / E) ** b) if E else 0
        read = model["weight_bytes"] + hit * model["expert_bytes"] + b * ctx * model["kv_per_tok"]
        mem = read / (tp * hardware["bw"])
        comp = b * 2 * model["active_params"] / (tp * hardware["flops"])
        return mem, comp

    mem, comp = step_times(batch)
    total = max(mem, comp)
    if tp > 1:
        total = total + model["layers"] * 2 * hardware["alpha"]

    ridge = -1
    for b in range(1, 4097):
        m, c = step_times(b)
        if c > m:
            ridge = b
            break

    return dict(ms=total * 1e3, tok_s=batch / total, compute_bound=comp > mem, ridge_batch=ridge)
