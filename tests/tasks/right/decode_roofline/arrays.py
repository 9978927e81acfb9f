import numpy as np


def decode_roofline(model, hardware, batch, ctx):
    sizes = np.arange(0, 200_000, dtype=np.float64)
    bandwidth = hardware["bw"] * hardware["tp"]
    speed = hardware["flops"] * hardware["tp"]
    used = 0.0
    if model["experts"] != 0:
        used = model["experts"] * -np.expm1(sizes * np.log1p(-model["top_k"] / model["experts"]))
    read = (model["weight_bytes"] + used * model["expert_bytes"] + sizes * (ctx * model["kv_per_tok"])) / bandwidth
    compute = sizes * (2 * model["active_params"] / speed)
    bound = compute > read
    ridge = int(bound.argmax()) if bound.any() else -1
    exchange = 2 * model["layers"] * hardware["alpha"] * (hardware["tp"] > 1)
    seconds = float(np.maximum(read, compute)[batch] + exchange)
    return {
        "ms": seconds * 1e3,
        "tok_s": batch / seconds,
        "compute_bound": bool(bound[batch]),
        "ridge_batch": ridge,
    }
