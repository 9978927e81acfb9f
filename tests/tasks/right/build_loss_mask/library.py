from itertools import groupby

import torch


def build_loss_mask(role, eos_id, tokens):
    ends = frozenset(torch.as_tensor(eos_id).flatten().tolist())
    flags = []
    for is_own, turn in groupby(zip(role.tolist(), tokens.tolist(), strict=True), key=lambda pair: pair[0] == 3):
        ids = [token for _, token in turn]
        stop = next((place + 1 for place, token in enumerate(ids) if token in ends), len(ids)) if is_own else 0
        flags += [True] * stop + [False] * (len(ids) - stop)
    return torch.tensor(flags, dtype=torch.bool, device=tokens.device)[1:]
