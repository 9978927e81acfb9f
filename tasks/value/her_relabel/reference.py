"""A relabeled transition keeps its states and action, so only the goal, the reward and the end have to be computed."""

import torch


def her_relabel(achieved, desired, r, done, ends, draws, threshold, strategy="future"):
    """Return source, goal, reward and done of all transitions, the relabeled copies after the originals.

    Shapes: achieved, desired [N, G]; r [N]; done, ends [N] bool; draws [N, K]. Results: [N + N * K] or [N + N * K, G].
    Source: arXiv:1707.01495, sections 3.2-3.3 and 4.5.
    """
    steps = torch.arange(len(r), device=r.device)
    lasts = steps[ends]
    episode = torch.searchsorted(lasts, steps)
    last = lasts[episode]
    first = torch.cat([lasts.new_zeros(1), lasts + 1])[episode]
    low = {"future": steps, "episode": first, "final": last}[strategy][:, None]
    chosen = low + (draws * (last[:, None] - low + 1)).long()

    copied = steps.repeat_interleave(draws.shape[1])
    new_goal = achieved[chosen.flatten()]
    is_reached = (achieved[copied] - new_goal).square().sum(dim=1).sqrt() <= threshold
    return (
        torch.cat([steps, copied]),
        torch.cat([desired, new_goal]),
        torch.cat([r, is_reached.to(r.dtype) - 1]),
        torch.cat([done, is_reached]),
    )
