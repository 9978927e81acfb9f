import torch


def token_logprobs(logits, tokens, temperature=1.0) -> torch.Tensor:
    """Return the log-probability of each token given those before it, [B, T - 1], float32.

    logits: [B, T, V] float; tokens: [B, T] int64.
    """
    raise NotImplementedError
