# expect: wrong
# mistake: the first end id is looked for in the whole row and not in each turn, so later turns are left out
import torch


def build_loss_mask(role, eos_id, tokens):
    ids = torch.tensor([eos_id] if isinstance(eos_id, int) else list(eos_id))
    assistant = role.eq(3)
    is_end = torch.isin(tokens, ids) & assistant
    seen = is_end.int().cumsum(0) - is_end.int()
    keep = assistant & (seen == 0)
    return keep[1:]
