import torch


def deterministic_scatter_add(src, index, ids, size, bits):
    """Add zeros to the other sums: adding 0 does not change a float."""
    ranked = ids.sort().indices
    member = torch.nn.functional.one_hot(index, size)
    total = torch.zeros(size, src.shape[1], dtype=torch.float32)
    for one in ranked:
        total += member[one].float().unsqueeze(1) * src[one].float()

    scaled = src.double().mul(1 << bits).round()
    bound = int(torch.max(torch.abs(scaled)).item()) * src.shape[0]
    if bound.bit_length() > 63:
        raise OverflowError(f"{bound} does not fit into int64")
    sums = (member[:, :, None] * scaled.to(torch.int64)[:, None]).sum(0)
    return total, (sums.double() / (1 << bits)).float()
