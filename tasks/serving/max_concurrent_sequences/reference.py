"""A group pays once for the full blocks of its prompt, and each of its sequences for everything after them."""


def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    """Return the blocks of a whole group at full length, and the number of sequences that are never preempted.

    Source: arXiv:2309.06180, sections 4.3 and 4.4; vLLM, docs/design/prefix_caching.md.
    """
    shared = prompt // block if share_prefix else 0
    # The KV of the last generated token is never computed; -(-a // b) rounds up.
    own = -(-(prompt + max_new - 1) // block) - shared
    group_blocks = shared + group_size * own
    groups, left = divmod(max(pool_blocks - watermark, 0), group_blocks)
    sequences = groups * group_size
    if left > shared:
        # Here, `own` is not 0: otherwise, a whole group would have fit.
        sequences += (left - shared) // own
    return group_blocks, min(sequences, max_num_seqs)
