import torch


def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    width = torch.tensor([opt_bytes, g_bytes, p_bytes])
    sharded = torch.arange(1, 4) <= stage
    count = torch.where(sharded, (psi + N - 1) // N, psi)
    opt, grads, params = (width * count).tolist()
    collectives = 2 + int(sharded.all())
    return {"params": params, "grads": grads, "opt": opt, "comm_elements": collectives * (psi - psi / N)}
