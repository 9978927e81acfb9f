def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    """Return the peak bytes of stored activations on one rank of the stage.

    recompute: "none", "selective" or "full"; flash, sp: bool; stage: 0 to p - 1.
    """
    raise NotImplementedError
