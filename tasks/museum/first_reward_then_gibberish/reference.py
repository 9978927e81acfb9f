"""A penalty is added to a loss and a bonus is subtracted from it."""

import torch


def actor_loss(logits, ref_logits, tokens, advantages, mask, kl_weight, entropy_weight):
    """Return the loss, the mean divergence estimate and the mean entropy, all over the unmasked tokens.

    Shapes: logits, ref_logits [B, T, V]; tokens [B, T] int64; advantages [B, T]; mask [B, T] bool.
    Source: arXiv:2402.03300, eqs. 3-4 (the penalty in the loss); arXiv:1602.01783, section 4 (the entropy bonus).
    """
    logprobs = torch.log_softmax(logits[mask], dim=1)
    place = tokens[mask][:, None]
    chosen = logprobs.gather(1, place).squeeze(1)
    reference = torch.log_softmax(ref_logits.detach()[mask], dim=1).gather(1, place).squeeze(1)
    log_ratio = reference - chosen
    kl = (torch.exp(log_ratio) - 1 - log_ratio).mean()
    entropy = -(logprobs.exp() * logprobs).sum(dim=1).mean()
    loss = kl_weight * kl - entropy_weight * entropy - (advantages.detach()[mask] * chosen).mean()
    return loss, kl.detach(), entropy.detach()
