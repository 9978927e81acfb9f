# expect: wrong
# mistake: The recomputed layer is counted without its already stored input under "full", and the logits only as the 4-byte copy without the 2-byte original.
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    tok = s * b / cp
    div = t if sp else 1
    layer_input = 2 * tok * h / div
    dense = 10 * tok * h / div + 24 * tok * h / t
    attn = 0 if flash else 5 * a * tok * s / t

    if recompute == "none":
        stored = dense + attn
        temp = 0
    elif recompute == "selective":
        stored = dense
        temp = attn
    else:
        stored = layer_input
        temp = dense + attn - layer_input

    total = (p - stage) * (L / p) * stored + temp

    is_last = stage == p - 1
    if is_last:
        total += 4 * tok * V / t
    return total
