def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    """Return {"first": [...], "finish": [...], "preemptions": [...], "wasted": ...}.

    requests: tuples (arrival, prompt, output), in the order of arrival.
    """
    raise NotImplementedError
