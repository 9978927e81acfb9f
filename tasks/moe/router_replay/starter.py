def topk_with_replay(logits, k, replay=None):
    """Return (gates [T, k], experts [T, k] int64).

    logits: [T, E] float; replay: None or [T, k] int64, rows of -1 where nothing was recorded.
    """
    raise NotImplementedError
