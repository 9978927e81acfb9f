# expect: wrong
# mistake: Causal attention counts the (s + 1) / 2 keys that a token attends to on average including itself, instead of exactly half of s.
def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    n_experts_off = model["experts"] - model["top_k"]
    n_params = model["params"] - model["embedding"] - n_experts_off * model["expert_params"]

    avg_keys = (s + 1) / 2 if model["causal"] else s
    d_attn = model["heads"] * model["head_dim"]
    attn_fwd = model["layers"] * 2 * (2 * avg_keys * d_attn)
    total_fwd = 2 * n_params + attn_fwd

    available = gpus * sheet_peak / 2 / tokens_per_s
    if phase == "forward":
        return total_fwd / available, total_fwd / available

    mfu = 3 * total_fwd / available
    if recompute == "full":
        hfu = 4 * total_fwd / available
    elif recompute == "selective":
        hfu = (3 * total_fwd + attn_fwd) / available
    else:
        hfu = mfu
    return mfu, hfu
