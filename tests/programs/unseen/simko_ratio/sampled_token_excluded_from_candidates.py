# expect: wrong
# mistake: The candidates are the K most probable tokens of the old policy other than the sampled token, instead of the K most probable tokens of all.
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
    index = tok.unsqueeze(-1)
    entropy = torch.special.entr(lp.detach().exp()).sum(-1)
    fork = _forks(entropy, mask, q)

    others = old_lp.scatter(-1, index, float("-inf"))
    k = min(K, lp.shape[-1] - 1)
    cand = others.topk(k, dim=-1).indices

    logr = lp - old_lp
    r = logr.gather(-1, index).squeeze(-1).exp()
    rc = logr.gather(-1, cand).exp()
    rc = rc / rc.detach() * r.detach().unsqueeze(-1)
    mixture = (1 - alpha) * r + alpha * rc.mean(-1)

    pos_fork = fork & correct[:, None]
    neg_fork = fork & ~correct[:, None]
    ratio = torch.where(pos_fork, mixture, r)
    ratio = torch.where(mask, ratio, torch.ones_like(ratio))
    scale = torch.ones_like(entropy)
    scale[neg_fork & (lp.argmax(-1) == tok)] = penalty
    return ratio, scale
