# expect: wrong
# mistake: Masked values are removed by multiplying with the mask, so a NaN or infinity at a masked position makes the sums and therefore all results NaN.
import torch
import torch.distributed as dist


def _global_sum(value, dp_group, cp_group):
    value = value.clone()
    dist.all_reduce(value, op=dist.ReduceOp.SUM, group=dp_group)
    dist.all_reduce(value, op=dist.ReduceOp.SUM, group=cp_group)
    return value


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    m = mask.to(torch.float64)
    xd = x.to(torch.float64)

    count = _global_sum(m.sum(), dp_group, cp_group)
    mean = _global_sum((xd * m).sum(), dp_group, cp_group) / count.clamp(min=1.0)
    var_sum = _global_sum((((xd - mean) ** 2) * m).sum(), dp_group, cp_group)
    denom = count - 1.0 if unbiased else count
    var = var_sum / denom.clamp(min=1.0)

    whitened = (xd - mean) / torch.sqrt(var + eps)
    whitened = torch.where(mask, whitened, torch.zeros_like(whitened))
    return whitened.to(torch.float32)
