def loss_aggregation_invariance_test(fn) -> bool:
    """Return whether `fn(logp, old_logp, advantages, mask, num_tokens)` is a right token-mean PPO loss."""
    raise NotImplementedError
