def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    s_local = s // cp
    sbh = s_local * b * h
    rest = sbh / t if sp else sbh
    scores = 0.0 if flash else 5 * a * s_local * s * b / t
    layer = 10 * rest + 24 * sbh / t
    live = 0.0
    if recompute == "none":
        kept = layer + scores
    elif recompute == "selective":
        kept = layer + scores
    else:
        kept = 2 * rest
        live = layer + scores
    total = kept * (L // p) * (p - stage) + live
    if stage == p - 1:
        total += s_local * b * V * (2 + 4) / t
    return total
