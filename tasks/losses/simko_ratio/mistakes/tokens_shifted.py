import torch


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    logp = torch.log_softmax(logits.masked_fill(~mask[:, :, None], 0.0), dim=2)
    old_logp = torch.log_softmax(old_logits.detach().masked_fill(~mask[:, :, None], 0.0), dim=2)
    index = tokens.masked_fill(~mask, 0).roll(-1, dims=1)[:, :, None]
    own = (logp - old_logp).gather(2, index).exp()
    entropy = -(logp.exp() * logp).sum(dim=2).detach()
    limit = entropy.masked_fill(~mask, torch.nan).nanquantile(q, dim=1, keepdim=True)
    fork = mask & (entropy > limit)
    best = old_logp.topk(K, dim=2).indices
    others = (logp - old_logp).gather(2, best).exp()
    others = own.detach() / others.detach() * others
    mixed = (1 - alpha) * own[:, :, 0] + alpha * others.mean(dim=2)
    ratio = torch.where(fork & correct[:, None], mixed, own[:, :, 0])
    favorite = logp.argmax(dim=2) == index[:, :, 0]
    scale = torch.ones_like(entropy).masked_fill(fork & favorite & ~correct[:, None], penalty)
    return ratio, scale
