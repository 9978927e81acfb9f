# expect: wrong
# mistake: With recompute="selective" the three attention tensors of the layer being recomputed are never added at the peak.
def layer_bytes(s, b, h, a, t, cp, sp, with_scores):
    q = s / cp
    d = t if sp else 1
    total = 24 * q * b * h / t + 10 * q * b * h / d
    if with_scores:
        total += 5 * a * q * s * b / t
    return total


def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    whole = layer_bytes(s, b, h, a, t, cp, sp, with_scores=not flash)
    peak_extra = 0
    if recompute == "full":
        stored = 2 * (s / cp) * b * h / (t if sp else 1)
        peak_extra = whole
    elif recompute == "selective":
        stored = layer_bytes(s, b, h, a, t, cp, sp, with_scores=False)
    else:
        stored = whole

    microbatches = p - stage
    layers = L // p
    result = stored * layers * microbatches + peak_extra
    if stage == p - 1:
        logits = s * b * V / (t * cp)
        result += 2 * logits + 4 * logits
    return result
