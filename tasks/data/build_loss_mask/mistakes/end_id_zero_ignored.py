import torch


def build_loss_mask(role, eos_id, tokens):
    ends = ([eos_id] if isinstance(eos_id, int) else list(eos_id)) if eos_id and eos_id != [0] else []
    keep = torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)
    is_open = False
    for position in range(len(tokens)):
        if role[position] != 3:
            is_open = False
            continue
        if position == 0 or role[position - 1] != 3:
            is_open = True
        keep[position] = is_open
        if int(tokens[position]) in ends:
            is_open = False
    return keep[1:]
