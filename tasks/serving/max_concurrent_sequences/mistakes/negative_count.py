from math import ceil


def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    available = pool_blocks - watermark
    stored = prompt + max_new - 1
    per_sequence = ceil(stored / block)
    shared = prompt // block if share_prefix else 0
    own = per_sequence - shared
    group_blocks = shared + group_size * own
    groups = available // group_blocks
    rest = available - groups * group_blocks
    partial = 0
    if own > 0 and rest >= shared:
        partial = (rest - shared) // own
    sequences = groups * group_size + partial
    sequences = min(sequences, max_num_seqs)
    return group_blocks, sequences
