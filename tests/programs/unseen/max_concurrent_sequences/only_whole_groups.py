# expect: wrong
# mistake: Only whole groups are started: the number of sequences is rounded down to a multiple of group_size, instead of letting the last group have fewer sequences.
def max_concurrent_sequences(
    pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs
):
    tokens = prompt + max_new - 1
    seq_blocks = tokens // block + (tokens % block > 0)
    if share_prefix:
        common = prompt // block
        group_blocks = common + group_size * (seq_blocks - common)
    else:
        group_blocks = group_size * seq_blocks

    available = max(0, pool_blocks - watermark)
    groups = min(available // group_blocks, max_num_seqs // group_size)
    return group_blocks, groups * group_size
