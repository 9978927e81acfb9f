import torch


def build_loss_mask(role, eos_id, tokens):
    eos = torch.as_tensor(eos_id).reshape(-1).tolist()
    mask, finished, before = [], False, 0
    for r, token in zip(role.tolist(), tokens.tolist()):
        if r == 3 and before not in (3, 0):
            finished = False
        mask.append(r == 3 and not finished)
        finished = finished or token in eos
        before = r
    return torch.tensor(mask, dtype=torch.bool)[1:]
