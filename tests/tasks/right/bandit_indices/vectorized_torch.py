import torch


def bandit_indices(wins, pulls, eps, u, v) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (index, choice, posterior): [B, K] float32, [B] int64, and [B, K, 2] float32."""
    num_arms = wins.shape[1]
    n = pulls.double()
    mean = wins.double() / n.clamp(min=1)
    total = n.sum(dim=1, keepdim=True).clamp(min=1)
    bonus = (2 * total.log() / n.clamp(min=1)).sqrt()
    index = torch.where(pulls == 0, torch.inf, mean + bonus)

    greedy = mean.argmax(dim=1)
    uniform = (v.double() * num_arms).long().clamp(max=num_arms - 1)
    choice = torch.where(u < eps, uniform, greedy)

    posterior = torch.stack([wins + 1, pulls - wins + 1], dim=-1)
    return index.float(), choice, posterior.float()
