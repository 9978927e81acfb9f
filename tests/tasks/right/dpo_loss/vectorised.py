import torch


def dpo_loss(pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0):
    policy = torch.stack([pi_w, pi_l])
    reference = torch.stack([ref_w, ref_l]).detach()
    rewards = beta * (policy - reference)
    logits = torch.stack([rewards[0] - rewards[1], rewards[1] - rewards[0]])
    costs = torch.logaddexp(torch.zeros_like(logits), -logits)
    weights = torch.tensor([[1 - label_smoothing], [label_smoothing]], dtype=costs.dtype, device=costs.device)
    return (weights * costs).sum(0).mean(), rewards[0].detach(), rewards[1].detach()
