import torch


def build_loss_mask(role, eos_id, tokens):
    in_turn = False
    ends = [eos_id] if isinstance(eos_id, int) else list(eos_id)
    keep = torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)
    is_open = False
    for position in range(len(tokens)):
        if role[position] != 3:
            in_turn = is_open = False
            continue
        if not in_turn:
            in_turn = is_open = True
        keep[position] = is_open
        if not is_open:
            role[position] = 0
        if int(tokens[position]) in ends:
            is_open = False
    return keep[1:]
