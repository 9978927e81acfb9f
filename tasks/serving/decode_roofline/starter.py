def decode_roofline(model, hardware, batch, ctx):
    """Return a dict with the step's "ms", its "tok_s", "compute_bound" (bool) and "ridge_batch" (int, or -1)."""
    raise NotImplementedError
