# expect: wrong
# mistake: with selective recomputation the three attention tensors of the layer that is recomputed are not added
# mistake: the logits are divided by t only and not by cp
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    seq_shard = cp * t if sp else cp
    sbh_norm = s * b * h / seq_shard
    sbh_head = s * b * h / (cp * t)
    attn = 5 * a * s * s * b / (cp * t)
    if flash or recompute == "selective":
        attn = 0

    one_layer = 10 * sbh_norm + 24 * sbh_head + attn
    layers_here = L // p
    if recompute == "full":
        memory = (p - stage) * layers_here * 2 * sbh_norm + one_layer
    else:
        memory = (p - stage) * layers_here * one_layer

    if stage == p - 1 and V:
        memory += s * b * V * 6 / t
    return memory
