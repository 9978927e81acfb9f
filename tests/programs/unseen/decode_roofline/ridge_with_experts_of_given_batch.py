# expect: wrong
# mistake: The ridge batch is solved with the number of experts that the given batch reads, instead of the number that is read at the ridge batch itself.
import math


def decode_roofline(model, hardware, batch, ctx):
    tp, bw, flops = hardware["tp"], hardware["bw"], hardware["flops"]

    experts_read = 0.0
    if model["experts"] > 0:
        p_idle = (1 - model["top_k"] / model["experts"]) ** batch
        experts_read = model["experts"] * (1 - p_idle)

    fixed_bytes = model["weight_bytes"] + experts_read * model["expert_bytes"]
    kv_bytes = ctx * model["kv_per_tok"]

    mem_s = (fixed_bytes + batch * kv_bytes) / (bw * tp)
    comp_s = batch * 2 * model["active_params"] / (flops * tp)
    comm_s = 0.0 if tp == 1 else 2 * model["layers"] * hardware["alpha"]
    step_s = max(mem_s, comp_s) + comm_s

    # b * 2 * P / flops > (fixed + b * kv) / bw
    gain = 2 * model["active_params"] / flops - kv_bytes / bw
    if gain > 0:
        ridge = math.floor(fixed_bytes / bw / gain) + 1
    else:
        ridge = -1

    return {
        "ms": step_s * 1000.0,
        "tok_s": batch / step_s,
        "compute_bound": comp_s > mem_s,
        "ridge_batch": ridge,
    }
