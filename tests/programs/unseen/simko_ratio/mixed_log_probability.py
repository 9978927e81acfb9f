# expect: right
import torch


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    m3 = mask[..., None]
    logp = logits.masked_fill(~m3, 0.0).log_softmax(-1)
    old_logp = old_logits.detach().masked_fill(~m3, 0.0).log_softmax(-1)
    tok = tokens.masked_fill(~mask, 0)[..., None]

    with torch.no_grad():
        entropy = -(logp.exp() * logp).sum(-1)
        fork = torch.zeros_like(mask)
        for b in range(mask.shape[0]):
            if mask[b].any():
                h = entropy[b][mask[b]]
                fork[b] = mask[b] & (entropy[b] > torch.quantile(h, q))
        candidates = old_logp.topk(min(K, logits.shape[-1]), dim=-1).indices
        favorite = logp.argmax(-1) == tok[..., 0]

    sampled = logp.gather(-1, tok)[..., 0]
    value = (sampled - old_logp.gather(-1, tok)[..., 0]).exp().detach()
    # d(p/p_old) = p/p_old * d log p, and the rescaled candidates all have the sampled token's value
    shared = (1 - alpha) * sampled + alpha * logp.gather(-1, candidates).mean(-1)
    source = torch.where(fork & correct[:, None], shared, sampled)
    ratio = value * (source - source.detach()).exp()
    ratio = torch.where(mask, ratio, torch.ones_like(ratio))

    scale = torch.ones_like(ratio).detach()
    scale[fork & ~correct[:, None] & favorite] = penalty
    return ratio, scale
