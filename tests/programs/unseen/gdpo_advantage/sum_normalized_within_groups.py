# expect: wrong
# mistake: The weighted raw rewards are summed first and the sum is normalized within each group and then over the batch, as in GRPO, instead of normalizing each reward on its own.
import torch


def gdpo_advantage(rewards, weights, eps=1e-4) -> torch.Tensor:
    total = torch.einsum("kbg,k->bg", rewards, weights)
    B, G = total.shape
    flat = (rewards == rewards[..., :1]).all(dim=-1).all(dim=0)  # [B]
    if G == 1:
        return torch.zeros_like(total)
    centered = total - total.mean(dim=-1, keepdim=True)
    adv = centered / (total.std(dim=-1, keepdim=True) + eps)
    adv = adv.masked_fill(flat[:, None], 0.0)
    if bool((adv == 0).all()):
        return torch.zeros_like(adv)
    return (adv - adv.mean()) / (adv.std() + eps)
