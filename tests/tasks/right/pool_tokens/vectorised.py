import torch


def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    free_before = torch.tensor(gpu_gb, dtype=torch.float64) - (overhead_gb if engine == "sglang" else 0)
    inside = torch.tensor([weight_gb, 0.0 if engine == "sglang" else overhead_gb], dtype=torch.float64)
    pool = (free_before * util - inside.sum()).clamp(min=0) * 1e9
    tokens = torch.floor(pool / kv_per_tok).long()
    return tokens.item(), (tokens // 16).item()
