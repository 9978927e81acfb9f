# expect: wrong
# mistake: With recompute="full" the stored layer input is divided by cp only and not by t when sequence parallelism is on.
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    sbh = s * b * h / cp
    ass = a * s * s * b / cp

    norm_and_dropout = 10 * sbh
    if sp:
        norm_and_dropout /= t
    heads_and_mlp = 24 * sbh / t
    softmax = 0 if flash else 5 * ass / t

    n_layers = L / p
    in_flight = p - stage

    if recompute == "full":
        memory = n_layers * in_flight * 2 * sbh
        memory += norm_and_dropout + heads_and_mlp + softmax
    else:
        memory = n_layers * in_flight * (norm_and_dropout + heads_and_mlp)
        if recompute == "none":
            memory += n_layers * in_flight * softmax
        else:
            memory += softmax

    if stage == p - 1 and V > 0:
        memory += 6 * s * b * V / (t * cp)
    return memory
