import torch
from torch.distributions import Categorical


def actor_loss(logits, ref_logits, tokens, advantages, mask, kl_weight, entropy_weight):
    now = Categorical(logits=logits, validate_args=False)
    ref = Categorical(logits=ref_logits.detach(), validate_args=False)
    logp = now.log_prob(tokens)
    log_ratio = ref.log_prob(tokens) - logp
    estimate = torch.expm1(log_ratio) - log_ratio
    entropy = now.entropy()
    per_token = -advantages.detach() * logp + kl_weight * estimate - entropy_weight * entropy
    count = mask.sum()

    def mean(x):
        return torch.where(mask, x, 0.0).sum() / count

    return mean(per_token), mean(estimate).detach(), mean(entropy).detach()
