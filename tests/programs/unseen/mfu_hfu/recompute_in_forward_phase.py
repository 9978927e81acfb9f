# expect: wrong
# mistake: HFU includes the recomputation of recompute also when phase is "forward", although there is no backward pass that recomputes anything.
def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    params = model["params"] - model["embedding"]
    if model["experts"]:
        params -= (model["experts"] - model["top_k"]) * model["expert_params"]

    scale = 2 if model["causal"] else 4
    attn = scale * model["layers"] * model["heads"] * model["head_dim"] * s
    weights = 2 * params

    passes = {"train": 3, "forward": 1}[phase]
    model_flops = passes * (weights + attn)

    redo = {"none": 0, "selective": attn, "full": weights + attn}[recompute]
    hardware_flops = model_flops + redo

    rate = tokens_per_s / (gpus * sheet_peak * 0.5)
    return model_flops * rate, hardware_flops * rate
