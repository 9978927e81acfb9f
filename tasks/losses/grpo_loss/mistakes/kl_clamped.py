import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    ratio = torch.where(mask, logp - old_logp.detach(), 0.0).exp()
    advantages = torch.where(mask, adv.detach()[:, None], 0.0)
    per_token = torch.maximum(-advantages * ratio, -advantages * ratio.clamp(1 - eps, 1 + eps))
    if beta:
        towards_ref = torch.where(mask, ref_logp.detach() - logp, 0.0)
        per_token = per_token + beta * (towards_ref.expm1() - towards_ref).clamp(max=10)
    row_tokens = mask.sum(dim=1)
    row_means = per_token.sum(dim=1) / row_tokens.clamp(min=1)
    return row_means.sum() / (row_tokens > 0).sum().clamp(min=1)
