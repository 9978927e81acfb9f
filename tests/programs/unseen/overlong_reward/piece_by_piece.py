# expect: right
import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    begin = L_max - L_cache
    out = []
    for length in len.tolist():
        if length <= begin:
            out.append(0.0)
        elif length <= L_max:
            out.append((begin - length) / L_cache)
        else:
            out.append(-1.0)
    return torch.tensor(out, dtype=torch.float32, device=len.device)
