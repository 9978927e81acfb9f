# expect: wrong
# mistake: group_blocks is computed for min(group_size, max_num_seqs) sequences instead of a whole group, and the last partial group is not charged for the shared blocks of its prompt.
import math


def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    per_seq = math.ceil((prompt + max_new - 1) / block)
    shared = prompt // block if share_prefix else 0
    extra = per_seq - shared

    in_group = min(group_size, max_num_seqs)
    group_blocks = shared + in_group * extra

    free = max(pool_blocks - watermark, 0)
    n_groups = free // group_blocks
    leftover = free % group_blocks
    tail = min(leftover // extra, in_group - 1) if extra else 0

    return group_blocks, min(max_num_seqs, n_groups * in_group + tail)
