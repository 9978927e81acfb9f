"""Each stage shards one more part; a shard has the number of elements over ranks, rounded up, so nothing is lost."""


def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    """Return the bytes of each part of the training state on one rank, and the elements that it sends per step.

    Source: arXiv:1910.02054, figure 1 and section 7.
    """
    shard = -(-psi // N)
    # Gathering the updated weights after the step replaces the all-gather half of the all-reduce, so stages 1 and 2
    # send no more than plain data parallelism.
    passes = 3 if stage >= 3 else 2
    return {
        "params": p_bytes * (shard if stage >= 3 else psi),
        "grads": g_bytes * (shard if stage >= 2 else psi),
        "opt": opt_bytes * (shard if stage >= 1 else psi),
        "comm_elements": passes * psi * (N - 1) / N,
    }
