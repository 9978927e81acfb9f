# expect: wrong
# mistake: with context parallelism the attention scores are s/cp by s/cp, although the queries meet all s keys
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    s_local = s / cp

    def layer(mode, fused):
        if mode == "full":
            return 2 * s_local * b * h / (t if sp else 1)
        outside = s_local * b * h * 10
        if sp:
            outside /= t
        inside = s_local * b * h * 24 / t
        square = 0
        if mode == "none" and not fused:
            square = 5 * (a / t) * s_local**2 * b
        return outside + inside + square

    everything = layer("none", flash)
    kept = layer(recompute, flash)
    memory = kept * L / p * (p - stage)
    if recompute == "selective":
        memory += everything - kept
    elif recompute == "full":
        memory += everything
    if stage == p - 1:
        memory += s_local * b * V * 6 / t
    return memory
