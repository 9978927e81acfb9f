# expect: wrong
# mistake: The samples are cut into N // k consecutive chunks of k, and the estimate is the mean of the chunks' maxima, instead of the mean over all sets.
import torch


def max_at_k(rewards, k) -> torch.Tensor:
    b, n = rewards.shape
    groups = n // k
    chunks = rewards[:, : groups * k].reshape(b, groups, k)
    return chunks.amax(dim=-1).mean(dim=-1)
