# expect: wrong
# mistake: A position is a fork if its entropy is at least the quantile instead of strictly greater, so that the only unmasked position of a row becomes a fork.
import torch


def _prepare(logits, old_logits, tokens, mask):
    m = mask.unsqueeze(-1)
    lp = torch.log_softmax(torch.where(m, logits, torch.zeros_like(logits)), dim=-1)
    old = torch.where(m, old_logits.detach(), torch.zeros_like(old_logits))
    old_lp = torch.log_softmax(old, dim=-1)
    return lp, old_lp, torch.where(mask, tokens, torch.zeros_like(tokens))


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    lp, old_lp, tok = _prepare(logits, old_logits, tokens, mask)
    with torch.no_grad():
        entropy = -(lp.exp() * lp).sum(-1)
        h = entropy.masked_fill(~mask, float("nan"))
        threshold = torch.nanquantile(h, q, dim=1, keepdim=True)
        fork = mask & (entropy >= threshold)
        cand = old_lp.topk(K, dim=-1).indices
        top1 = lp.argmax(-1) == tok
    sampled = (lp.gather(-1, tok[..., None]) - old_lp.gather(-1, tok[..., None])).squeeze(-1).exp()
    c = (lp.gather(-1, cand) - old_lp.gather(-1, cand)).exp()
    factor = (sampled[..., None] / c).detach()
    simko = (1 - alpha) * sampled + alpha * (factor * c).mean(-1)
    pos = correct[:, None].expand_as(mask)
    ratio = torch.where(fork & pos, simko, sampled)
    ratio = torch.where(mask, ratio, torch.ones_like(ratio))
    scale = torch.where(fork & ~pos & top1, torch.full_like(entropy, penalty), torch.ones_like(entropy))
    return ratio, scale
