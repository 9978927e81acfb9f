import torch


class Shared(torch.autograd.Function):
    """The ratio of the sampled token, with a gradient for several tokens."""

    @staticmethod
    def forward(ctx, logits, old, sampled, weights):
        new = torch.softmax(logits, dim=-1)
        ratio = (new / old).gather(-1, sampled).squeeze(-1)
        # The gradient of a weighted sum of log-probabilities is the weights minus the probabilities.
        ctx.save_for_backward(ratio[..., None] * (weights - new))
        return ratio

    @staticmethod
    def backward(ctx, slope):
        return slope[..., None] * ctx.saved_tensors[0], None, None, None


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    hidden = ~mask[..., None]
    clean = torch.masked_fill(logits, hidden, 0.0)
    old = torch.softmax(torch.masked_fill(old_logits.detach(), hidden, 0.0), dim=-1)
    sampled = torch.masked_fill(tokens, ~mask, 0)[..., None]
    with torch.no_grad():
        new = torch.softmax(clean, dim=-1)
        entropy = torch.special.entr(new).sum(dim=-1)
        count = mask.sum(dim=1, keepdim=True)
        ladder = torch.where(mask, entropy, torch.inf).sort(dim=1).values
        place = (q * (count - 1)).clamp(min=0)
        low = ladder.gather(1, place.floor().long())
        high = ladder.gather(1, place.ceil().long())
        limit = torch.where(low == high, low, low + (high - low) * (place - place.floor()))
        fork = mask & (entropy > limit)
        own = torch.zeros_like(new).scatter(-1, sampled, 1.0)
        top = torch.zeros_like(new).scatter(-1, old.topk(K, dim=-1).indices, 1.0)
        share = (alpha * (fork & correct[:, None])).to(new.dtype)[..., None]
        weights = torch.lerp(own, top / K, share.expand_as(own))
        wrong = fork & ~correct[:, None] & (new.argmax(dim=-1, keepdim=True) == sampled).squeeze(-1)
        scale = torch.ones_like(entropy) + (penalty - 1) * wrong
    return Shared.apply(clean, old, sampled, weights), scale
