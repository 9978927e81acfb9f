# expect: wrong
# mistake: A sequence is taken to hold the KV of all prompt + max_new tokens, including the last generated one, instead of one token less.
import math


def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    blocks_per_seq = math.ceil((prompt + max_new) / block)
    prefix_blocks = prompt // block if share_prefix else 0
    private_blocks = blocks_per_seq - prefix_blocks
    group_blocks = prefix_blocks + group_size * private_blocks

    usable = max(pool_blocks - watermark, 0)
    full_groups = usable // group_blocks
    remaining = usable - full_groups * group_blocks

    partial = 0
    if private_blocks > 0 and remaining > prefix_blocks:
        partial = min(group_size - 1, (remaining - prefix_blocks) // private_blocks)

    sequences = min(full_groups * group_size + partial, max_num_seqs)
    return group_blocks, sequences
