import torch


def build_loss_mask(role, eos_id, tokens):
    ends = [eos_id] if isinstance(eos_id, int) else list(eos_id)
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
    for position in range(len(tokens) - 1, 0, -1):
        if role[position] in (0, 3) and role[position - 1] == 0 and (role[position] == 3 or keep[position]):
            keep[position - 1] = True
    return keep[1:]
