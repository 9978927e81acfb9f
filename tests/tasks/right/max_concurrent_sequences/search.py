from math import ceil


def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    longest = ceil((prompt + (max_new - 1)) / block)
    common = prompt // block

    def blocks(sequences):
        if not share_prefix:
            return sequences * longest
        groups = ceil(sequences / group_size)
        return groups * common + sequences * (longest - common)

    fitting = [n for n in range(max_num_seqs + 1) if blocks(n) + watermark <= pool_blocks]
    return blocks(group_size), max(fitting, default=0)
