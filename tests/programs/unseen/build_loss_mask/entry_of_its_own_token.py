# expect: wrong
# mistake: entry t tells about token t instead of token t + 1
# mistake: of a list of end ids only the first one ends a turn
import torch


def build_loss_mask(role, eos_id, tokens):
    if isinstance(eos_id, (list, tuple)):
        eos_id = eos_id[0]
    T = tokens.shape[0]
    mask = torch.zeros(T, dtype=torch.bool)
    done = False
    for t in range(T):
        if role[t] != 3:
            done = False
        elif not done:
            mask[t] = True
            done = bool(tokens[t] == eos_id)
    return mask[:-1]
