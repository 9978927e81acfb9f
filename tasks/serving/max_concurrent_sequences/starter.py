def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    """Return (the most blocks that a group can hold, the number of sequences that never need more than the pool)."""
    raise NotImplementedError
