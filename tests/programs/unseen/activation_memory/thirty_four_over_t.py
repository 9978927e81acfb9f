# expect: wrong
# mistake: what is outside of heads and MLP is divided by t even if sequence parallelism is off
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    sbh = s * b * h / cp / t
    scores = 0 if flash else 5 * a * s * s * b / cp / t
    full_layer = 34 * sbh + scores

    if recompute == "full":
        kept, again = 2 * sbh, full_layer
    elif recompute == "selective":
        kept, again = 34 * sbh, scores
    else:
        kept, again = full_layer, 0

    layers = L // p
    microbatches = p - stage
    logits = 6 * s * b * V / (t * cp) if stage == p - 1 else 0
    return layers * microbatches * kept + again + logits
