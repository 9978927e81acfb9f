def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    usable = pool_blocks - watermark
    last = prompt + max_new - 1  # tokens whose KV is in the cache at the end
    total = last // block + (1 if last % block else 0)
    if not share_prefix:
        count = usable // total if usable > 0 else 0
        return group_size * total, min(max_num_seqs, count)
    prefix, rest_of_prompt = divmod(prompt, block)
    tail = rest_of_prompt + max_new - 1
    each = tail // block + bool(tail % block)
    group = prefix + each * group_size
    # The blocks of a group that has 1, 2, ... sequences running.
    sizes = [prefix + each * n for n in range(1, group_size + 1)]
    count = 0
    while usable >= group and count < max_num_seqs:
        usable -= group
        count += group_size
    count += sum(size <= usable for size in sizes[:-1])
    return group, min(count, max_num_seqs)
