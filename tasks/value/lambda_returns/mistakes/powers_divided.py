import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam):
    value = v_next.masked_fill(done, 0.0)
    last = torch.arange(len(r), device=r.device) == len(r) - 1
    share = torch.where(last, 1.0, 1 - lam).to(r.dtype)
    terms = r + gamma * share * value
    powers = (gamma * lam) ** torch.arange(len(r), dtype=r.dtype, device=r.device)
    sums = (terms * powers).flip(0).cumsum(0).flip(0)
    # Subtract the part that belongs to later episodes.
    ends = done.nonzero().flatten().tolist() + [len(r) - 1]
    beyond = torch.zeros_like(r)
    start = 0
    for end in ends:
        if end + 1 < len(r):
            beyond[start : end + 1] = sums[end + 1]
        start = end + 1
    return (sums - beyond) / powers
