"""A layer's bytes are those that t always divides, those that only sequence parallelism divides, and the scores."""


def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    """Return the peak bytes of stored activations on one rank of a pipeline stage under 1F1B.

    Source: arXiv:2205.05198, section 4; arXiv:2104.04473, section 2.2.
    """
    hidden = s / cp * b * h
    outside = hidden / t if sp else hidden  # norms, dropout masks and inputs of tensor-parallel matrices
    scores = 0 if flash else 5 * a * (s / cp) * s * b / t
    linear = 24 * hidden / t + 10 * outside
    kept = {"none": linear + scores, "selective": linear, "full": 2 * outside}[recompute]
    recomputed = {"none": 0, "selective": scores, "full": linear + scores}[recompute]
    logits = 6 * (s / cp) * b * V / t if stage == p - 1 else 0
    return (p - stage) * (L / p) * kept + recomputed + logits
