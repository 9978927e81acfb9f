class Pool:
    def __init__(self, free):
        self.free = free

    def take(self, count):
        if count > self.free:
            return False
        self.free -= count
        return True


def blocks_of(tokens, block):
    """Return (full blocks, blocks) of this many tokens, counted token by token."""
    full = used = 0
    in_last = block
    for _token in range(tokens):
        if in_last == block:
            used, in_last = used + 1, 0
        in_last += 1
        full += in_last == block
    return full, used


def max_concurrent_sequences(pool_blocks, block, prompt, max_new, group_size, share_prefix, watermark, max_num_seqs):
    full_of_prompt, _ = blocks_of(prompt, block)
    _, longest = blocks_of(prompt + max_new - 1, block)

    def needs(place):
        """Return the blocks that the sequence at this place in its group adds to the pool."""
        return longest - full_of_prompt if share_prefix and place > 0 else longest

    group_blocks = sum(needs(place) for place in range(group_size))
    pool = Pool(pool_blocks - watermark)
    running = 0
    while running < max_num_seqs and pool.take(needs(running % group_size)):
        running += 1
    return group_blocks, running
