import torch


def max_at_k(rewards, k):
    """Go down from the largest: it is drawn with probability k/N, the next one if not, and so on."""
    ordered = rewards.double().sort(dim=1, descending=True).values
    estimate = torch.zeros(len(rewards), dtype=torch.float64, device=rewards.device)
    missed, left = 1.0, rewards.shape[1]
    for column in ordered.unbind(dim=1):
        if left < k or missed == 0.0:
            break
        estimate += missed * (k / left) * column
        missed *= 1 - k / left
        left -= 1
    return estimate.to(rewards.dtype)
