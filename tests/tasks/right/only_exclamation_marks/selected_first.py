import torch


def policy_loss(logprobs, ref_logprobs, advantages, mask, kl_weight):
    zero = torch.zeros_like(logprobs)
    logp = torch.where(mask, logprobs, zero)
    ref = torch.where(mask, ref_logprobs.detach(), zero)
    adv = torch.where(mask, advantages.detach(), zero)
    with torch.no_grad():
        value = torch.expm1(ref - logp) - (ref - logp)
        is_capped = ~(value <= 10.0)
    difference = torch.where(is_capped, zero, ref - logp)
    estimate = torch.where(is_capped, zero + 10.0, torch.expm1(difference) - difference)
    count = mask.sum()
    kl = torch.where(mask, estimate, zero).sum() / count
    loss = kl_weight * kl - (adv * logp).sum() / count
    return loss, kl.detach()
