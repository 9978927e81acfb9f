def expert_capacity(probs, mask, k, cf, policy):
    """Return (combine [T, E] float, dispatch [T, E] bool, dropped [T] int64).

    probs: [T, E] float; mask: [T] bool, True for real tokens; policy: "position" or "probs".
    """
    raise NotImplementedError
