import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0) -> torch.Tensor:
    """Return the log-probability of `token` under the truncated distribution, a tensor without dimensions.

    logits: [V] float; token: int; keep_ids: [K] int64 or None.
    """
    raise NotImplementedError
