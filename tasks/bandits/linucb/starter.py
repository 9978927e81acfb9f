import torch


def linucb(contexts, rewards, alpha, lam=1.0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (arms, scores, theta): the choices [T] int64, the scores [T, K], and the final estimates [K, d].

    contexts: [T, K, d] float; rewards: [T, K] float, of which only the chosen arm's entry is revealed in each round.
    """
    raise NotImplementedError
