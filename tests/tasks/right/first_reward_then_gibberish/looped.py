import torch


def actor_loss(logits, ref_logits, tokens, advantages, mask, kl_weight, entropy_weight):
    losses, kls, entropies = [], [], []
    for b, t in mask.nonzero().tolist():
        logp = logits[b, t] - logits[b, t].logsumexp(0)
        ref = (ref_logits[b, t] - ref_logits[b, t].logsumexp(0)).detach()
        token = tokens[b, t]
        difference = ref[token] - logp[token]
        kl = difference.exp() - 1 - difference
        entropy = -(logp.exp() @ logp)
        losses.append(kl_weight * kl - entropy_weight * entropy - advantages[b, t].detach() * logp[token])
        kls.append(kl.detach())
        entropies.append(entropy.detach())
    return torch.stack(losses).mean(), torch.stack(kls).mean(), torch.stack(entropies).mean()
