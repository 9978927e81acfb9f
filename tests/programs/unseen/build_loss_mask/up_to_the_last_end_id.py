# expect: wrong
# mistake: a turn is kept up to its last end id instead of its first
import torch
from itertools import groupby


def build_loss_mask(role, eos_id, tokens):
    eos = eos_id if isinstance(eos_id, list) else [eos_id]
    mask = []
    for speaker, group in groupby(range(len(role)), key=lambda i: int(role[i])):
        places = list(group)
        if speaker != 3:
            mask += [False] * len(places)
            continue
        ends = [i for i in places if int(tokens[i]) in eos]
        last = max(ends, default=places[-1])
        mask += [i <= last for i in places]
    return torch.tensor(mask[1:], dtype=torch.bool)
