# expect: wrong
# mistake: Every pipeline stage is charged for p microbatches in flight instead of p - stage of them.
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    s_local = s / cp
    tok = s_local * b * h
    seq_div = t if sp else 1

    # pieces of one layer, in bytes
    attn_core = 5 * a * s_local * s * b / t
    tp_part = 24 * tok / t
    rest = 10 * tok / seq_div

    def full_layer():
        m = tp_part + rest
        if not flash:
            m += attn_core
        return m

    recomputed = 0.0
    if recompute == "none":
        per_layer = full_layer()
    elif recompute == "selective":
        per_layer = tp_part + rest
        if not flash:
            recomputed = attn_core
    elif recompute == "full":
        per_layer = 2 * tok / seq_div
        recomputed = full_layer()
    else:
        raise ValueError(recompute)

    in_flight = p
    memory = per_layer * (L // p) * in_flight + recomputed

    if stage == p - 1 and V:
        memory += s_local * b * V * (2 + 4) / t
    return memory
