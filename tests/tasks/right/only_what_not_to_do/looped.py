import torch


def policy_loss(logprobs, old_logprobs, advantages, mask, clip, dual_clip=None):
    losses = []
    for b, t in mask.nonzero().tolist():
        ratio = (logprobs[b, t] - old_logprobs[b, t].detach()).exp()
        adv = float(advantages[b, t])
        if adv >= 0:
            value = ratio if float(ratio) < 1 + clip else ratio.detach().new_tensor(1 + clip)
        else:
            value = ratio if float(ratio) > 1 - clip else ratio.detach().new_tensor(1 - clip)
            if dual_clip is not None and float(ratio) > dual_clip:
                value = ratio.detach().new_tensor(dual_clip)
        losses.append(-value * adv)
    return torch.stack(losses).mean()
