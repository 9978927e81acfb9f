# expect: right
def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    stored = prompt + max_new - 1
    total = -(-stored // block)
    shared = prompt // block if share_prefix else 0
    own = total - shared

    group_blocks = shared + group_size * own

    free = max(0, pool_blocks - watermark)
    groups, left = divmod(free, group_blocks)
    extra = 0
    used = shared
    while extra < group_size - 1 and used + own <= left:
        used += own
        extra += 1

    return group_blocks, min(groups * group_size + extra, max_num_seqs)
