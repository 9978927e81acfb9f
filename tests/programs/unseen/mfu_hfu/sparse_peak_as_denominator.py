# expect: wrong
# mistake: The FLOPs are divided by the data sheet's sparse peak, instead of by the dense peak, which is half as high.
def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    inactive = (model["experts"] - model["top_k"]) * model["expert_params"]
    n = model["params"] - model["embedding"] - inactive
    attn = 4 * s * model["layers"] * model["heads"] * model["head_dim"]
    attn = attn / 2 if model["causal"] else attn
    per_token_fwd = 2 * n + attn

    mult = 3 if phase == "train" else 1
    mfu = mult * per_token_fwd * tokens_per_s / (gpus * sheet_peak)

    hfu = mfu
    if phase == "train" and recompute != "none":
        again = per_token_fwd if recompute == "full" else attn
        hfu = mfu + again * tokens_per_s / (gpus * sheet_peak)
    return mfu, hfu
