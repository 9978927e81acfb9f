import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    """Token i is kept if the probability of all tokens ranked above it is less than top_p."""
    z = (logits / temperature).double()
    if keep_ids is None:
        p = torch.exp(z.detach() - z.detach().max())
        p = p / p.sum()
        ids = torch.arange(len(p), device=p.device)
        value = z.detach()
        above = (value[None, :] > value[:, None]) | ((value[None, :] == value[:, None]) & (ids[None, :] < ids[:, None]))
        mass_above = (above * p[None, :]).sum(dim=1)
        kept = mass_above < top_p if top_p < 1 else torch.ones_like(p, dtype=torch.bool)
    else:
        kept = torch.zeros(len(z), dtype=torch.bool, device=z.device)
        kept[keep_ids] = True
    if not kept[token]:
        return logits.new_tensor(float("-inf"))
    relative = z[kept] - z[token]
    shift = relative.max().detach()
    return (-shift - torch.log(torch.exp(relative - shift).sum())).to(logits.dtype)
