def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    n_experts = model["experts"]
    idle = 0
    n_active = model["params"] - model["embedding"] - idle
    linear = 2 * n_active
    products = 2
    attn = products * 2 * s * model["heads"] * model["head_dim"] * model["layers"]
    if model["causal"]:
        attn = attn / 2
    passes = 3 if phase == "train" else 1
    needed = passes * linear + passes * attn
    extra = 0
    if phase == "train" and recompute == "full":
        extra = linear + attn
    elif phase == "train" and recompute == "selective":
        extra = attn
    peak = sheet_peak / 2
    rate = tokens_per_s / gpus
    mfu = rate * needed / peak
    hfu = rate * (needed + extra) / peak
    return mfu, hfu
