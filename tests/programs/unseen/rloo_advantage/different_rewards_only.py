# expect: wrong
# mistake: The other answers are recognised by a different reward, so that answers with an equal reward are left out of the mean too.
import torch


def rloo_advantage(rewards) -> torch.Tensor:
    # [B, G, G]: which answers j serve as baseline for answer i
    is_other = rewards.unsqueeze(2) != rewards.unsqueeze(1)
    count = is_other.sum(dim=2)
    total = (is_other * rewards.unsqueeze(1)).sum(dim=2)
    baseline = torch.where(count > 0, total / count.clamp(min=1), torch.zeros_like(rewards))
    return rewards - baseline
