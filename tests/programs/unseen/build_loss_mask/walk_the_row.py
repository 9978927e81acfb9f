# expect: right
import torch

ASSISTANT = 3


def build_loss_mask(role, eos_id, tokens):
    ends = {int(e) for e in eos_id} if isinstance(eos_id, (list, tuple, set)) else {int(eos_id)}
    generated = []
    ended = False
    for r, token in zip(role.tolist(), tokens.tolist()):
        if r != ASSISTANT:
            ended = False
            generated.append(False)
            continue
        generated.append(not ended)
        ended = ended or token in ends
    return torch.tensor(generated[1:], dtype=torch.bool, device=role.device)
