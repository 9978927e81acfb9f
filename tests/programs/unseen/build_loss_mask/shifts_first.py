# expect: wrong
# mistake: the first token of the row is cut off before the end ids are looked for, so an end id there is overlooked
import torch


def build_loss_mask(role, eos_id, tokens):
    role, tokens = role[1:], tokens[1:]
    eos = set(eos_id) if isinstance(eos_id, (list, tuple)) else {eos_id}
    out = torch.zeros(role.shape[0], dtype=torch.bool)
    alive = True
    for t in range(role.shape[0]):
        if role[t].item() == 3:
            out[t] = alive
            if tokens[t].item() in eos:
                alive = False
        else:
            alive = True
    return out
