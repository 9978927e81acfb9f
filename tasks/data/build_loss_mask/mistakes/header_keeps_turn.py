import torch


def build_loss_mask(role, eos_id, tokens):
    has_begun = False
    ends = [eos_id] if isinstance(eos_id, int) else list(eos_id)
    keep = torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)
    is_open = False
    for position in range(len(tokens)):
        if role[position] != 3:
            if role[position] != 0:
                is_open = False
                has_begun = False
            continue
        if not has_begun:
            is_open, has_begun = True, True
        keep[position] = is_open
        if int(tokens[position]) in ends:
            is_open = False
    return keep[1:]
