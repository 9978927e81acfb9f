import torch


def build_loss_mask(role, eos_id, tokens):
    pad = torch.as_tensor(eos_id, device=tokens.device).reshape(-1)
    not_pad = ~torch.isin(tokens, pad)
    return ((role == 3) & not_pad)[1:]
