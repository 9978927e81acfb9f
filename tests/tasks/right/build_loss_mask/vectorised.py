import torch


def build_loss_mask(role, eos_id, tokens):
    ends = eos_id if isinstance(eos_id, (list, tuple)) else [eos_id]
    own = role.eq(3)
    closes = torch.zeros_like(own)
    for end in ends:
        closes |= own & tokens.eq(end)
    changes = torch.ones_like(own)
    changes[1:] = own[1:] ^ own[:-1]
    turn = changes.cumsum(0) - 1
    seen = closes.cumsum(0) - closes.to(torch.int64)
    at_start = seen[changes]
    return (own & (seen == at_start[turn]))[1:]
