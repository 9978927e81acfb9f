import torch


def best_of_n_kl(n, probs, rewards) -> tuple[torch.Tensor, float]:
    """Return the exact KL divergence of each prompt, [B], and the bound that depends only on n.

    probs, rewards: [B, M] float64.
    """
    raise NotImplementedError
