# expect: wrong
# mistake: need_more is true also when there are exactly target_prompts rows.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    same = torch.eq(rewards, rewards[:, 0].unsqueeze(1)).all(dim=1)
    informative = torch.nonzero(~same, as_tuple=True)[0]
    enough = len(informative) > target_prompts
    return informative[:target_prompts], not enough
