# expect: right
import math


def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    half, byte, single = 2, 1, 4
    local = s / cp
    sbh = local * b * h
    shard = 1 / t
    rep = 1 / t if sp else 1

    keep_scores = not flash
    scores = a * local * s * b * shard * (2 * half + byte)

    body = half * sbh * rep * 2            # layer norms
    body += half * sbh * rep               # input of qkv
    body += half * 3 * sbh * shard         # qkv
    body += half * sbh * shard             # input of proj
    body += byte * 2 * sbh * rep           # dropout masks
    body += half * sbh * rep               # input of fc1
    body += half * 8 * sbh * shard         # gelu, fc2

    everything = body + (scores if keep_scores else 0)
    if recompute == "full":
        per_layer, spike = half * sbh * rep, everything
    elif recompute == "selective":
        per_layer, spike = body, (scores if keep_scores else 0)
    else:
        per_layer, spike = everything, 0

    out = per_layer * (L // p) * (p - stage) + spike
    if stage == p - 1:
        vocab_per_rank = math.ceil(V / t)
        out += local * b * vocab_per_rank * (half + single)
    return out
