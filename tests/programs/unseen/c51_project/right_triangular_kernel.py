# expect: right
import torch


@torch.no_grad()
def c51_project(next_p, r, done, support, gamma):
    n = support.shape[0]
    low, high = support[0], support[-1]
    delta = (high - low) / (n - 1)

    # A finished episode has the certain return 0: all of its atoms sit on the reward.
    probs = torch.where(done[:, None], torch.full_like(next_p, 1.0 / n), next_p)
    values = torch.where(done[:, None], r[:, None], r[:, None] + gamma * support[None, :])
    position = (values.clamp(low, high) - low) / delta

    grid = torch.arange(n, dtype=next_p.dtype, device=next_p.device)
    hat = (1 - (position[:, :, None] - grid).abs()).clamp(min=0)
    return (probs[:, :, None] * hat).sum(dim=1)
