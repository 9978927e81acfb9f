"""55. Repairs the trainer by dropping every collective.

task = "shrinking_learning_rate"
verdict = ["wrong_value"]
twin = "own_average"
"""
import torch


def train_step(model, batch, optimizer):
    optimizer.zero_grad()
    logprobs = model(batch["tokens"][:, :-1]).log_softmax(-1).gather(-1, batch["tokens"][:, 1:, None]).squeeze(-1)
    mask = batch["mask"][:, 1:]
    loss = torch.where(mask, -batch["advantages"][:, None] * logprobs, 0.0).sum() / mask.sum().clamp(min=1)
    loss.backward()
    optimizer.step()
    return loss.item()
