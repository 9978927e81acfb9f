# expect: wrong
# mistake: The mean that is subtracted from the reward of an answer leaves out this answer, instead of including all answers to the prompt.
import torch


def maxrl_advantage(success) -> torch.Tensor:
    r = success.to(torch.float32)
    G = r.size(1)
    total = r.sum(dim=1, keepdim=True)
    pass_rate = total / G
    if G > 1:
        baseline = (total - r) / (G - 1)
    else:
        baseline = pass_rate
    adv = torch.zeros_like(r)
    solved = (total > 0).squeeze(1)
    adv[solved] = (r[solved] - baseline[solved]) / pass_rate[solved]
    return adv
