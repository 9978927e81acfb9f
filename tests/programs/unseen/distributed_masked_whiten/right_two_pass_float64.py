# expect: right
import torch
import torch.distributed as dist


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return this rank's whitened values, [B, T], 0 at masked positions; the statistics are those of the whole batch."""

    def total(t):
        dist.all_reduce(t, op=dist.ReduceOp.SUM, group=cp_group)
        dist.all_reduce(t, op=dist.ReduceOp.SUM, group=dp_group)
        return t

    values = x.detach()[mask].to(torch.float64)
    first = total(torch.stack([values.sum(), torch.tensor(float(values.numel()), dtype=torch.float64)]))
    n = first[1].item()
    mean = first[0] / max(n, 1.0)
    squares = total(((values - mean) ** 2).sum())
    var = squares / max(n - 1.0 if unbiased else n, 1.0)

    out = torch.zeros(x.shape, dtype=torch.float32)
    out[mask] = ((values - mean) / torch.sqrt(var + eps)).to(torch.float32)
    return out
