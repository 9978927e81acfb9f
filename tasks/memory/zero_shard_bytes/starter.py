def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    """Return {"params", "grads", "opt": bytes on one rank; "comm_elements": elements that it sends per step}."""
    raise NotImplementedError
