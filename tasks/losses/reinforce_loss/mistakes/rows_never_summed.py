import torch


def reinforce_loss(logp, adv, mask, reduction):
    answers, tokens = [], []
    for i in range(len(mask)):
        keep = mask[i]
        if not keep.any():
            continue
        advantage = adv[i].detach()
        if adv.dim() == 2:
            advantage = advantage[keep]
        terms = -(advantage * logp[i][keep])
        tokens.append(terms)
        answers.append(terms.mean())
    if not answers:
        return logp.masked_fill(~mask, 0.0).sum() * 0
    if reduction == "token":
        return torch.cat(tokens).mean()
    return torch.stack(answers).mean()
