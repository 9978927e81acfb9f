import torch


def build_loss_mask(role, eos_id, tokens):
    eos = set(eos_id) if isinstance(eos_id, (list, tuple, set)) else {eos_id}
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
        if token in eos:
            finished = True
        generated.append(not finished)
    mask = torch.tensor(generated, dtype=torch.bool, device=role.device)
    return mask[1:]
