# expect: wrong
# mistake: Prompt and response are rounded up to blocks separately, as if the response began in a new block, instead of filling the prompt's last block first.
def cdiv(a, b):
    return (a + b - 1) // b


def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    prompt_blocks = cdiv(prompt, block)
    response_blocks = cdiv(max_new - 1, block)

    if share_prefix:
        shared = prompt // block
        per_seq = (prompt_blocks - shared) + response_blocks
    else:
        shared = 0
        per_seq = prompt_blocks + response_blocks

    group_blocks = shared + per_seq * group_size

    budget = pool_blocks - watermark
    if budget <= 0:
        return group_blocks, 0

    n = (budget // group_blocks) * group_size
    rest = budget % group_blocks
    if per_seq and rest >= shared + per_seq:
        n += (rest - shared) // per_seq
    return group_blocks, min(n, max_num_seqs)
