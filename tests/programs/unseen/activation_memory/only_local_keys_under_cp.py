# expect: wrong
# mistake: With context parallelism the attention scores are counted as (s/cp) x (s/cp) instead of (s/cp) x s.
def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    s = s // cp
    sbh = s * b * h
    ass = a * s * s * b
    tp_or_one = t if sp else 1

    tensors = [
        # (elements, bytes each, divisor)
        (2 * sbh, 2, tp_or_one),       # layer norm inputs
        (sbh, 2, tp_or_one),           # qkv input
        (3 * sbh, 2, t),               # q, k, v
        (sbh, 2, t),                   # output projection input
        (2 * sbh, 1, tp_or_one),       # dropout masks
        (sbh, 2, tp_or_one),           # first mlp matrix
        (2 * 4 * sbh, 2, t),           # gelu input, second mlp matrix
    ]
    scores = [(2 * ass, 2, t), (ass, 1, t)]

    def size(items):
        return sum(n * w / d for n, w, d in items)

    base, att = size(tensors), size(scores)
    if flash:
        att = 0
    kept, again = {
        "none": (base + att, 0),
        "selective": (base, att),
        "full": (2 * sbh / tp_or_one, base + att),
    }[recompute]

    total = kept * L / p * (p - stage) + again
    if stage == p - 1:
        total += 6 * s * b * V / t
    return total
