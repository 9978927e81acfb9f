import torch


def build_loss_mask(role, eos_id, tokens):
    ends = [eos_id] if isinstance(eos_id, int) else list(eos_id)
    mask = torch.zeros(len(tokens) - 1, dtype=torch.bool, device=tokens.device)
    is_open = False
    for position in range(len(tokens)):
        if int(role[position]) != 3:
            is_open = False
            continue
        if position == 0 or int(role[position - 1]) != 3:
            is_open = True
        if position > 0:
            mask[position - 1] = is_open
        if int(tokens[position]) in ends:
            is_open = False
    return mask
