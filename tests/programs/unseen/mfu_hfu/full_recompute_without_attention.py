# expect: wrong
# mistake: Full recomputation adds only the parameters' forward FLOPs (2 per active parameter, as in 8N instead of 6N) to HFU and leaves out the recomputed attention.
def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    n_active = (
        model["params"]
        - model["embedding"]
        - model["experts"] * model["expert_params"]
        + model["top_k"] * model["expert_params"]
    )
    attn_fwd = 4 * model["layers"] * model["heads"] * model["head_dim"] * s
    if model["causal"]:
        attn_fwd = attn_fwd / 2

    peak = sheet_peak / 2 * gpus
    if phase == "forward":
        mfu = (2 * n_active + attn_fwd) * tokens_per_s / peak
        return mfu, mfu

    model_flops = 6 * n_active + 3 * attn_fwd
    hw_flops = model_flops
    if recompute == "selective":
        hw_flops = 6 * n_active + 4 * attn_fwd
    elif recompute == "full":
        hw_flops = 8 * n_active + 3 * attn_fwd
    return model_flops * tokens_per_s / peak, hw_flops * tokens_per_s / peak
