# expect: wrong
# mistake: The factor that rescales a candidate's quotient to the sampled token's value is not constant, since the sampled token's quotient in its numerator keeps its gradient.
import torch


def _prepare(logits, old_logits, tokens, mask):
    m = mask.unsqueeze(-1)
    lp = torch.log_softmax(torch.where(m, logits, torch.zeros_like(logits)), dim=-1)
    old = torch.where(m, old_logits.detach(), torch.zeros_like(old_logits))
    old_lp = torch.log_softmax(old, dim=-1)
    return lp, old_lp, torch.where(mask, tokens, torch.zeros_like(tokens))


def _forks(entropy, mask, q):
    fork = torch.zeros_like(mask)
    for i in range(mask.shape[0]):
        h = entropy[i][mask[i]]
        if h.numel():
            fork[i] = mask[i] & (entropy[i] > torch.quantile(h, q))
    return fork


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    lp, old_lp, tok = _prepare(logits, old_logits, tokens, mask)
    p = lp.exp()
    with torch.no_grad():
        fork = _forks(-(p * lp).sum(dim=-1), mask, q)
        topk = torch.topk(old_lp, K, dim=-1).indices
        is_top1 = lp.argmax(dim=-1).eq(tok)
    r = torch.exp(torch.gather(lp - old_lp, -1, tok[..., None])[..., 0])
    r_k = torch.exp(torch.gather(lp - old_lp, -1, topk))
    rescaled = r_k * (r[..., None] / r_k.detach())
    r_fork = (1 - alpha) * r + alpha * rescaled.mean(dim=-1)
    use = fork & correct[:, None]
    ratio = torch.where(use, r_fork, r).masked_fill(~mask, 1.0)
    scale = torch.ones_like(r.detach())
    scale = scale.masked_fill(fork & ~correct[:, None] & is_top1, penalty)
    return ratio, scale
