# expect: wrong
# mistake: With share_prefix, the partly filled last block of the prompt is also held only once per group, instead of once per sequence.
def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    full_len = prompt + max_new - 1
    need = (full_len + block - 1) // block

    shared = 0
    if share_prefix:
        shared = (prompt + block - 1) // block
    tail = need - shared

    def cost(n):
        """Blocks held by n sequences that start group by group."""
        groups, rest = divmod(n, group_size)
        c = groups * (shared + group_size * tail)
        if rest:
            c += shared + rest * tail
        return c

    budget = pool_blocks - watermark
    lo, hi = 0, max_num_seqs
    while lo < hi:
        mid = (lo + hi + 1) // 2
        if cost(mid) <= budget:
            lo = mid
        else:
            hi = mid - 1
    return cost(group_size), lo
