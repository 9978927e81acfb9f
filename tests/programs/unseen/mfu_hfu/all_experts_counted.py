# expect: wrong
# mistake: The parameters of all routed experts are counted for every token, instead of only those of its top_k experts.
def attention_flops(model, s):
    width = model["heads"] * model["head_dim"]
    qk = 2 * s * width
    av = 2 * s * width
    total = model["layers"] * (qk + av)
    return total * 0.5 if model["causal"] else float(total)


def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    matmul_params = model["params"] - model["embedding"]
    attn = attention_flops(model, s)
    fwd = 2.0 * matmul_params + attn
    useful = fwd
    spent = fwd
    if phase == "train":
        useful = spent = fwd + 2 * fwd
        if recompute == "selective":
            spent += attn
        elif recompute == "full":
            spent += fwd
    capacity = gpus * (sheet_peak / 2)
    return useful * tokens_per_s / capacity, spent * tokens_per_s / capacity
