import torch
import torch.nn.functional as F


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    """Find the largest magnitudes with a pooling layer and spread the scales with a Kronecker product."""
    dtype = torch.float8_e4m3fn if fmt == "e4m3" else torch.float8_e5m2
    limit = torch.finfo(dtype).max
    values = x.float().contiguous()
    amax = F.max_pool2d(values.abs()[None, None], kernel_size=block, stride=block, ceil_mode=True)[0, 0]
    scale = (limit / amax).nan_to_num(posinf=1.0)
    if pow2:
        scale = torch.pow(2.0, torch.log2(scale).floor())
    spread = torch.kron(scale, torch.ones(block, device=x.device))[: x.shape[0], : x.shape[1]]
    q = torch.clamp(values * spread, -limit, limit).to(dtype).float()
    return q, scale, q / spread
