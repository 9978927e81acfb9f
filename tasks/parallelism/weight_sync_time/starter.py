def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    """Return (sequential, pipelined, buffer_bytes).

    tensors: a list of (bytes in bf16, "replicated", "dense" or "expert"); rates: bytes per second.
    """
    raise NotImplementedError
