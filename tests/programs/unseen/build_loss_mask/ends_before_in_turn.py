# expect: right
import torch


def build_loss_mask(role, eos_id, tokens) -> torch.Tensor:
    ids = torch.as_tensor(eos_id, dtype=tokens.dtype, device=tokens.device).reshape(-1)
    speaking = role == 3
    ends = speaking & torch.isin(tokens, ids)

    # end ids strictly before each position, in the whole row
    before = ends.long().cumsum(0) - ends.long()

    # the same count at the first token of the turn that the position is in
    previous = torch.roll(speaking, 1)
    previous[0] = False
    starts = speaking & ~previous
    index = torch.arange(len(role), device=role.device)
    start_of_turn = torch.where(starts, index, torch.zeros_like(index)).cummax(0).values
    ends_in_turn_before = before - before[start_of_turn]

    return (speaking & (ends_in_turn_before == 0))[1:]
