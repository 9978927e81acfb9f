def rl_memory(params, opts):
    """Return a dict of GB (1e9 bytes) by item, their "total", and "kv_bytes_per_token"."""
    raise NotImplementedError
