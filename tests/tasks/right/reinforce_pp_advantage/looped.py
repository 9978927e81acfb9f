import math

import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    prompts, answers = rewards.shape
    scores, penalties, is_token = rewards.tolist(), kl.tolist(), mask.tolist()
    steps = mask.shape[1]
    returns = {}
    for b in range(prompts):
        mean = math.fsum(scores[b]) / answers
        for g in range(answers):
            row = b * answers + g
            score = scores[b][g] - mean if baseline else scores[b][g]
            later = 0.0
            for t in reversed(range(steps)):
                if is_token[row][t]:
                    later += penalties[row][t]
                    returns[row, t] = score - beta * later
    out = torch.zeros(mask.shape, dtype=rewards.dtype, device=rewards.device)
    count = len(returns)
    if count < 2:
        return out
    mean = math.fsum(returns.values()) / count
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in returns.values()) / (count - 1))
    if spread < 1e-6:
        return out
    for (row, t), x in returns.items():
        out[row, t] = (x - mean) / spread
    return out
