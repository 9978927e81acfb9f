# expect: wrong
# mistake: The pool minus the watermark is not clamped at 0, so a watermark larger than the pool gives a negative number of sequences instead of 0.
def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    seq_len = prompt + max_new - 1
    per_seq = -(-seq_len // block)
    usable = pool_blocks - watermark

    if not share_prefix:
        return per_seq * group_size, min(usable // per_seq, max_num_seqs)

    prefix = prompt // block
    unique = per_seq - prefix
    group_blocks = prefix + unique * group_size

    whole = usable // group_blocks
    sequences = whole * group_size
    rest = usable - whole * group_blocks
    if unique > 0 and rest > prefix:
        sequences += (rest - prefix) // unique
    return group_blocks, min(sequences, max_num_seqs)
