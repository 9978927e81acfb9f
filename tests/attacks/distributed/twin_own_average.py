"""Averages all gradients in one flat tensor.

task = "shrinking_learning_rate"
"""
import torch
import torch.distributed as dist
from torch.nn.utils import parameters_to_vector, vector_to_parameters


def train_step(model, batch, optimizer):
    optimizer.zero_grad()
    logprobs = model(batch["tokens"][:, :-1]).log_softmax(-1).gather(-1, batch["tokens"][:, 1:, None]).squeeze(-1)
    mask = batch["mask"][:, 1:]
    loss = torch.where(mask, -batch["advantages"][:, None] * logprobs, 0.0).sum()
    loss.backward()
    slopes = [parameter.grad for parameter in model.parameters()]
    sums = torch.cat([parameters_to_vector(slopes), loss.detach()[None], mask.sum()[None].float()])
    dist.all_reduce(sums)
    vector_to_parameters(sums[:-2] / sums[-1], slopes)
    for parameter, slope in zip(model.parameters(), slopes):
        parameter.grad = slope
    optimizer.step()
    return float(sums[-2] / sums[-1])
