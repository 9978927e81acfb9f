import torch


def logprobs_of(logits, temperature):
    scaled = logits / temperature
    return scaled - scaled.logsumexp(dim=0)


def policy_loss(logits, engine_logits, tokens, advantages, mask, temperature, cap):
    losses, ratios, entropies = [], [], []
    for b, t in mask.nonzero().tolist():
        ours = logprobs_of(logits[b, t], temperature)
        theirs = logprobs_of(engine_logits[b, t].detach(), temperature)
        token = tokens[b, t]
        ratio = (ours[token].detach() - theirs[token]).exp()
        losses.append(-ratio.clamp(max=cap) * advantages[b, t].detach() * ours[token])
        ratios.append(ratio)
        entropies.append(-(ours.detach().exp() @ ours.detach()))
    return torch.stack(losses).mean(), torch.stack(ratios).mean(), torch.stack(entropies).mean()
