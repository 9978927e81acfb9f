import math


def decode_roofline(model, hardware, batch, ctx):
    tp = hardware["tp"]

    def touched(b):
        if model["experts"] == 0:
            return 0.0
        return model["experts"] * (1 - (1 - model["top_k"] / model["experts"]) ** b)

    def t_memory(b):
        weights = model["weight_bytes"] + touched(b) * model["expert_bytes"]
        kv = b * ctx * model["kv_per_tok"]
        return (weights + kv) / (tp * hardware["bw"])

    def t_compute(b):
        return 2 * model["active_params"] * b / (tp * hardware["flops"])

    def is_compute_bound(b):
        return t_compute(b) > t_memory(b)

    def ridge_batch():
        if t_compute(1) <= ctx * model["kv_per_tok"] / (tp * hardware["bw"]):
            return -1
        b = 1
        while not is_compute_bound(b):
            b += 1
        return b

    comm = 2 * model["layers"] * hardware["alpha"] if tp > 1 else 0.0
    step = min(t_memory(batch), t_compute(batch)) + comm
    return {
        "ms": step * 1000,
        "tok_s": batch / step,
        "compute_bound": is_compute_bound(batch),
        "ridge_batch": ridge_batch(),
    }
