import torch


def rloo_advantage(rewards):
    table = []
    for row in rewards.tolist():
        line = []
        for i, reward in enumerate(row):
            others = row[:i] + row[i + 1 :]
            line.append(reward - (sum(others) / len(others) if others else 0.0))
        table.append(line)
    return torch.tensor(table, dtype=rewards.dtype, device=rewards.device)
