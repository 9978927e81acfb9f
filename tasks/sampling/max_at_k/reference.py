"""Each weight follows from the previous one, so no binomial coefficient is computed."""

import torch


def max_at_k(rewards, k):
    """Return the mean over all sets of k samples of the largest reward in the set.

    Shapes: rewards [B, N]; the result [B].
    Source: arXiv:2510.23393.
    """
    # The sample with `below` smaller ones is the maximum of C(below, k - 1) of the C(N, k) sets.
    count = rewards.shape[1]
    weights = [k / count]
    for below in range(count - 1, k - 1, -1):
        weights.append(weights[-1] * (below - k + 1) / below)
    largest = rewards.double().sort(dim=1, descending=True).values[:, : len(weights)]
    scale = torch.tensor(weights, dtype=torch.float64, device=rewards.device)
    return (largest * scale).sum(dim=1).to(rewards.dtype)
