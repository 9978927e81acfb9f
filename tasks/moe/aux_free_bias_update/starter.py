def aux_free_bias_update(scores, bias, k, u):
    """Return (gates [M, T, k] float32, experts [M, T, k] int64, new_bias [E] float32).

    scores: [M, T, E] float, after the sigmoid; bias: [E] float32; u: the step size of the biases.
    """
    raise NotImplementedError
