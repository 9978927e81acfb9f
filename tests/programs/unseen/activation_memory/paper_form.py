# expect: right
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    """Korthikanti et al., equations 2 to 4, with context parallelism and the logits."""
    sbh = s * b * h / cp
    whole = 10 / t if sp else 10
    linear = sbh * (whole + 24 / t)
    attention = 0.0
    if not flash:
        attention = 5 * a * s * s * b / (t * cp)

    per_layer = {
        "none": linear + attention,
        "selective": linear,
        "full": 2 * sbh / t if sp else 2 * sbh,
    }[recompute]
    recomputed = {"none": 0.0, "selective": attention, "full": linear + attention}[recompute]

    # 1F1B: stage i runs p - i forwards before its first backward
    bytes_ = (p - stage) * (L / p) * per_layer + recomputed
    if stage + 1 == p:
        bytes_ += s * b * V * (2 + 4) / (t * cp)
    return bytes_
