# expect: wrong
# mistake: Attention is counted in full (12 * layers * heads * head_dim * s per trained token, as in PaLM) even if it is causal, and the embedding is counted as a matrix multiplication.
def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    N = model["params"] - (model["experts"] - model["top_k"]) * model["expert_params"]
    L, H, Q = model["layers"], model["heads"], model["head_dim"]

    param_fwd = 2 * N
    attn_fwd = 4 * L * H * Q * s

    if phase == "train":
        flops = 6 * N + 12 * L * H * Q * s
    else:
        flops = param_fwd + attn_fwd

    extra = 0
    if phase == "train":
        if recompute == "selective":
            extra = attn_fwd
        if recompute == "full":
            extra = param_fwd + attn_fwd

    peak_per_gpu = sheet_peak / 2
    tokens_per_gpu = tokens_per_s / gpus
    return tokens_per_gpu * flops / peak_per_gpu, tokens_per_gpu * (flops + extra) / peak_per_gpu
