# expect: wrong
# mistake: The quantile is taken over the unmasked positions of the whole batch instead of each row, and every unmasked favorite of a wrong answer is penalized, whether or not it is at a fork.
import torch


def _prepare(logits, old_logits, tokens, mask):
    m = mask.unsqueeze(-1)
    lp = torch.log_softmax(torch.where(m, logits, torch.zeros_like(logits)), dim=-1)
    old = torch.where(m, old_logits.detach(), torch.zeros_like(old_logits))
    old_lp = torch.log_softmax(old, dim=-1)
    return lp, old_lp, torch.where(mask, tokens, torch.zeros_like(tokens))


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    lp, old_lp, tok = _prepare(logits, old_logits, tokens, mask)
    ent = -(lp.exp() * lp).sum(-1).detach()
    if mask.any():
        fork = mask & (ent > torch.quantile(ent[mask], q))
    else:
        fork = mask
    log_ratio = lp - old_lp
    r = log_ratio.gather(-1, tok[..., None])[..., 0].exp()
    rk = log_ratio.gather(-1, old_lp.topk(K, dim=-1)[1]).exp()
    rk = rk * (r[..., None] / rk).detach()
    r_pos = (1 - alpha) * r + alpha * rk.mean(-1)
    c = correct[:, None]
    ratio = torch.where(c & fork, r_pos, r).masked_fill(~mask, 1.0)
    favorite = lp.argmax(-1) == tok
    scale = torch.ones_like(ent).masked_fill(~c & mask & favorite, penalty)
    return ratio, scale
