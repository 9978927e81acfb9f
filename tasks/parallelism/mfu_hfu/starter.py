def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    """Return (mfu, hfu) of a job as fractions of its GPUs' dense peak.

    tokens_per_s: of all GPUs together; sheet_peak: FLOP/s of one GPU with 2:4 sparsity.
    """
    raise NotImplementedError
