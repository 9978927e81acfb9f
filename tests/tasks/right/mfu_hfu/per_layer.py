def forward_flops(model, s):
    """Return (parameters, attention) for one token."""
    used = model["params"] - model["embedding"]
    for _unused in range(model["experts"] - model["top_k"]):
        used -= model["expert_params"]
    keys = (s / 2) if model["causal"] else s
    attention = 0.0
    for _layer in range(model["layers"]):
        scores = 2 * keys * model["head_dim"] * model["heads"]
        values = 2 * keys * model["head_dim"] * model["heads"]
        attention += scores + values
    return 2 * used, attention


def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    parameters, attention = forward_flops(model, s)
    available = gpus * (0.5 * sheet_peak)
    model_flops = parameters + attention
    hardware_flops = model_flops
    if phase == "train":
        if recompute == "full":
            hardware_flops += parameters + attention
        if recompute == "selective":
            hardware_flops += attention
        backward = 2 * (parameters + attention)
        model_flops += backward
        hardware_flops += backward
    return model_flops * tokens_per_s / available, hardware_flops * tokens_per_s / available
