import math

import torch


def normalized(numbers, eps):
    if len(numbers) < 2 or max(numbers) == min(numbers):
        return [0.0] * len(numbers)
    mean = math.fsum(numbers) / len(numbers)
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in numbers) / (len(numbers) - 1))
    return [(x - mean) / (spread + eps) for x in numbers]


def gdpo_advantage(rewards, weights, eps=1e-4):
    kinds, prompts, answers = rewards.shape
    scores, factors = rewards.tolist(), weights.tolist()
    sums = [[0.0] * answers for _ in range(prompts)]
    for k in range(kinds):
        for b in range(prompts):
            for g, x in enumerate(normalized(scores[k][b], eps)):
                sums[b][g] += factors[k] * x
    flat = normalized([x for row in sums for x in row], eps)
    return torch.tensor(flat, dtype=rewards.dtype, device=rewards.device).reshape(prompts, answers)
