def batch_invariant_reduction(x, w, block):
    """Return x @ w as float32 [B, N], summed in the order that the statement defines.

    x: [B, K]; w: [K, N]; both float32 or bfloat16.
    """
    raise NotImplementedError
