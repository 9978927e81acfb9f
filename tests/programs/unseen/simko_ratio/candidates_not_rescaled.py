# expect: wrong
# mistake: A candidate contributes the gradient of its own quotient without the constant factor that rescales it to the value of the sampled token's quotient.
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
    entropy = -(lp.exp() * lp).sum(-1).detach()
    fork = _forks(entropy, mask, q)

    quotients = torch.exp(lp - old_lp)
    sampled = quotients.gather(-1, tok.unsqueeze(-1)).squeeze(-1)
    top = old_lp.topk(K, dim=-1).indices
    cand = quotients.gather(-1, top).mean(-1)
    mixed = (1 - alpha) * sampled + alpha * cand
    # keep the value of the sampled token's ratio, take the gradient of the mixture
    shared = sampled.detach() + mixed - mixed.detach()

    positive = correct.unsqueeze(1)
    ratio = torch.where(fork & positive, shared, sampled)
    ratio = torch.where(mask, ratio, torch.ones_like(ratio))
    fav = lp.detach().argmax(-1) == tok
    scale = torch.where(fork & ~positive & fav, penalty, 1.0).to(logits.dtype)
    return ratio, scale
