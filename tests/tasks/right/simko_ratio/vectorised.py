import torch
from torch.nn import functional as F


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    batch, steps, size = logits.shape
    kept = torch.nonzero(mask.reshape(-1)).flatten()
    rows = kept // steps
    new = F.log_softmax(logits.reshape(-1, size)[kept], dim=-1)
    old = F.log_softmax(old_logits.detach().reshape(-1, size)[kept], dim=-1)
    picked = tokens.reshape(-1)[kept]
    hot = F.one_hot(picked, size).to(new.dtype)
    spread = torch.zeros_like(hot).scatter(1, old.topk(K, dim=1).indices, 1 / K)

    chaos = torch.distributions.Categorical(logits=new.detach()).entropy()
    is_fork = torch.zeros_like(rows, dtype=torch.bool)
    for row in rows.unique().tolist():
        own = rows == row
        is_fork |= own & (chaos > chaos[own].quantile(q))
    good = correct[rows]
    target = torch.where((is_fork & good)[:, None], (1 - alpha) * hot + alpha * spread, hot)
    value = ((new - old).detach() * hot).sum(dim=1).exp()
    direction = (target * new).sum(dim=1)
    ratio = value + value * (direction - direction.detach())
    factor = torch.where(is_fork & ~good & (new.argmax(dim=1) == picked), penalty, 1.0).to(new.dtype)

    ones = torch.ones(batch * steps, dtype=logits.dtype, device=logits.device)
    return ones.index_put((kept,), ratio).view(batch, steps), ones.index_put((kept,), factor).view(batch, steps)
