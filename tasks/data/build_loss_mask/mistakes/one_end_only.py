import torch


def build_loss_mask(role, eos_id, tokens):
    eos = {eos_id[0]} if isinstance(eos_id, (list, tuple)) else {eos_id}
    generated = []
    in_turn = False
    finished = False
    for r, token in zip(role.tolist(), tokens.tolist()):
        if r != 3:
            in_turn = False
            generated.append(False)
            continue
        if not in_turn:
            in_turn, finished = True, False
        generated.append(not finished)
        if token in eos:
            finished = True
    mask = torch.tensor(generated, dtype=torch.bool, device=role.device)
    return mask[1:]
