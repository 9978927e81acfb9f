def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    sbh = s * b * h / cp
    rest_split = t if sp else 1

    def one_layer(with_scores):
        total = 0.0
        for copies, width, divisor in [
            (2, 2, rest_split),  # norms
            (1, 2, rest_split),  # qkv input
            (3, 2, t),
            (1, 2, t),
            (2, 1, rest_split),
            (1, 2, rest_split),
            (8, 2, t),
        ]:
            total += copies * width * sbh / divisor
        if with_scores and not flash:
            for width in (2, 2, 1):
                total += width * a * s * s * b / cp / t
        return total

    bytes_ = 0.0
    for _microbatch in range(p - stage):
        for _layer in range(L // p):
            if recompute == "full":
                bytes_ += 2 * sbh / rest_split
            else:
                bytes_ += one_layer(recompute == "none")
    if recompute == "full":
        bytes_ += one_layer(True)
    elif recompute == "selective":
        bytes_ += one_layer(True) - one_layer(False)
    if stage == p - 1:
        bytes_ += s * b * V * 2 / (t * cp)
        bytes_ += s * b * V * 4 / (t * cp)
    return bytes_
