import torch


def chunked_logprobs(hidden, weight, tokens, chunk) -> torch.Tensor:
    """Return the log-probability of each token given those before it, [T - 1], float32.

    hidden: [T, H] float; weight: [V, H] float; tokens: [T] int64; chunk: the number of tokens per chunk.
    """
    raise NotImplementedError
