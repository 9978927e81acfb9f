"""The temperature divides logits; after the softmax, the normalizing constant can no longer be corrected."""

import torch


def policy_loss(logits, engine_logits, tokens, advantages, mask, temperature, cap):
    """Return the loss, the mean ratio of trainer to engine, and the mean entropy of the trainer's policy.

    Shapes: logits, engine_logits [B, T, V]; tokens [B, T] int64; advantages [B, T]; mask [B, T] bool.
    Source: arXiv:1503.02531, section 2 (softmax with a temperature).
    """
    trainer = torch.log_softmax(logits / temperature, dim=-1)
    engine = torch.log_softmax(engine_logits.detach() / temperature, dim=-1)
    logprobs = trainer.gather(-1, tokens[..., None]).squeeze(-1)
    recorded = engine.gather(-1, tokens[..., None]).squeeze(-1)
    ratio = (logprobs.detach() - recorded).exp()
    weight = ratio.clamp(max=cap)
    loss = -(weight * advantages.detach() * logprobs)[mask].mean()
    entropy = -(trainer.exp() * trainer).sum(dim=-1)[mask].mean()
    return loss, ratio[mask].mean(), entropy.detach()
