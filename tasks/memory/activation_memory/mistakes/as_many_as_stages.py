def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    s_q = s / cp
    split = t if sp else 1
    per_token = h * (10 / split + 24 / t)
    score_bytes = 5 * a * s / t
    if flash:
        score_bytes = 0
    layers = L / p
    in_flight = p
    if recompute == "full":
        out = in_flight * layers * 2 * h / split + per_token + score_bytes
    elif recompute == "selective":
        out = in_flight * layers * per_token + score_bytes
    else:
        out = in_flight * layers * (per_token + score_bytes)
    logits = 6 * V / t if stage == p - 1 else 0
    return s_q * b * (out + logits)
