# expect: right
def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    idle_experts = model["experts"] - model["top_k"]
    active = model["params"] - model["embedding"] - idle_experts * model["expert_params"]

    linear = 2 * active
    attention = 2 * 2 * s * model["layers"] * model["heads"] * model["head_dim"]
    if model["causal"]:
        attention /= 2
    forward = linear + attention

    if phase == "train":
        needed = 3 * forward
        extra = {"none": 0, "selective": attention, "full": forward}[recompute]
    else:
        needed, extra = forward, 0

    dense_peak = gpus * sheet_peak / 2
    return tokens_per_s * needed / dense_peak, tokens_per_s * (needed + extra) / dense_peak
