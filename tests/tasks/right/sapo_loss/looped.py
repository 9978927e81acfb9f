import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05):
    means = []
    for b in range(mask.shape[0]):
        terms = []
        for t in range(mask.shape[1]):
            if not mask[b, t]:
                continue
            advantage = adv[b, t].item()
            tau = tau_pos if advantage > 0 else tau_neg
            ratio = torch.exp(logp[b, t] - old_logp[b, t].detach())
            terms.append(-advantage * 4 / tau / (1 + torch.exp(tau * (1 - ratio))))
        if terms:
            means.append(sum(terms) / len(terms))
    # The empty sum keeps the loss attached to logp if every token is masked.
    return logp[mask].sum() * 0 + (sum(means) / len(means) if means else 0)
