import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    answers = []
    for i in range(logp.shape[0]):
        keep = mask[i]
        if not keep.any():
            continue
        new = logp[i][keep]
        old = old_logp[i][keep].detach()
        advantage = adv[i].detach()
        ratio = torch.exp(new - old)
        clipped = torch.clamp(ratio, 1 - eps, 1 + eps)
        objective = torch.min(ratio * advantage, clipped * advantage)
        if beta != 0:
            ref = ref_logp[i][keep].detach()
            kl = torch.exp(ref - new) - (ref - new) - 1
            objective = objective - beta * kl
        answers.append(objective.sum())
    if not answers:
        return logp.masked_fill(~mask, 0.0).sum() * 0.0
    return -torch.stack(answers).mean()
