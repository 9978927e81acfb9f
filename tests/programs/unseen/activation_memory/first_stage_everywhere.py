# expect: wrong
# mistake: every stage is counted with p microbatches in flight, instead of p - stage
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    n = s // cp
    shared = t if sp else 1
    norms_and_inputs = 2 * n * b * h * (2 + 1 + 1) / shared
    masks = 2 * n * b * h / shared
    heads = 2 * n * b * h * 4 / t
    mlp = 2 * n * b * 4 * h * 2 / t
    scores = 0 if flash else (2 + 2 + 1) * a * n * s * b / t
    rest = norms_and_inputs + masks + heads + mlp

    layer_input = 2 * n * b * h / shared
    if recompute == "none":
        stored, peak = rest + scores, 0
    elif recompute == "selective":
        stored, peak = rest, scores
    else:
        stored, peak = layer_input, rest + scores

    total = stored * L + peak
    if stage == p - 1:
        total += n * b * V * 6 / t
    return total
