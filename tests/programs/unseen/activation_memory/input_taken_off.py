# expect: wrong
# mistake: with full recomputation the layer's own input is taken off what its recomputation brings back
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    tokens = b * (s // cp)
    seq = t if sp else 1
    saved = {
        "ln": 2 * 2 * tokens * h / seq,
        "qkv_in": 2 * tokens * h / seq,
        "qkv": 3 * 2 * tokens * h / t,
        "softmax": 2 * 2 * tokens * s * a / t,
        "softmax_mask": tokens * s * a / t,
        "proj_in": 2 * tokens * h / t,
        "masks": 2 * tokens * h / seq,
        "fc1_in": 2 * tokens * h / seq,
        "gelu": 2 * 2 * 4 * tokens * h / t,
    }
    if flash:
        saved["softmax"] = saved["softmax_mask"] = 0
    core = saved["softmax"] + saved["softmax_mask"]
    all_of_it = sum(saved.values())

    if recompute == "none":
        keep, recomputing = all_of_it, 0
    elif recompute == "selective":
        keep, recomputing = all_of_it - core, core
    else:
        keep = 2 * tokens * h / seq
        recomputing = all_of_it - keep

    result = keep * (L // p) * (p - stage) + recomputing
    if stage == p - 1:
        result += tokens * V * (2 + 4) / t
    return result
