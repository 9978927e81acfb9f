# expect: right
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    tokens = s / cp * b
    sbh = tokens * h
    scores = a * tokens * s
    outer = t if sp else 1

    sharded_by_tp = (3 * 2 + 2 + 2 * 4 * 2) * sbh / t
    replicated = (2 * 2 + 2 + 2 * 1 + 2) * sbh / outer
    linear = sharded_by_tp + replicated
    attention = (2 * 2 + 1) * scores / t

    layer_none = linear + (0 if flash else attention)
    if recompute == "none":
        kept, extra = layer_none, 0
    elif recompute == "selective":
        kept, extra = linear, (0 if flash else attention)
    else:
        kept, extra = 2 * sbh / outer, layer_none

    total = kept * (L / p) * (p - stage) + extra
    if stage == p - 1:
        total += (2 + 4) * tokens * V / t
    return total
