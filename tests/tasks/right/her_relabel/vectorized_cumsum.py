import torch


def her_relabel(
    achieved, desired, r, done, ends, draws, threshold, strategy="future"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (source, goal, reward, done) of all transitions, the relabeled copies after the originals."""
    n, k = draws.shape
    here = torch.arange(n, device=draws.device)
    episode = ends.long().cumsum(0) - ends.long()
    last = ends.nonzero().squeeze(1)[episode]
    first = torch.cat([last.new_zeros(1), ends.nonzero().squeeze(1)[:-1] + 1])[episode]
    start = {"future": here, "episode": first, "final": last}[strategy]
    length = last - start + 1
    chosen = start[:, None] + (draws.double() * length[:, None]).floor().long()
    copies = here.repeat_interleave(k)
    new_goal = achieved[chosen.flatten()]
    distance = (achieved[copies].double() - new_goal.double()).square().sum(dim=1).sqrt()
    reached = distance <= threshold
    return (
        torch.cat([here, copies]),
        torch.cat([desired, new_goal]),
        torch.cat([r, reached.to(r.dtype) - 1]),
        torch.cat([done, reached]),
    )
