# expect: wrong
# mistake: Forbidden logits are replaced by -1e4, so they get probability where all other logits are near -1e4, and the normalizer is computed without gradient.
import torch


def token_logprobs(logits, tokens, temperature=1.0):
    x = logits[:, :-1].to(torch.float32)
    x = torch.where(torch.isinf(x), torch.full_like(x, -1e4), x) / temperature
    with torch.no_grad():
        lse = torch.logsumexp(x, dim=-1)
    selected = torch.gather(x, -1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    return selected - lse
