import torch


def relabel_episode(achieved, draws, threshold, strategy):
    """Return the goals [n, K, G] of the copies of one episode, and whether each is reached, [n, K]."""
    n = len(achieved)
    steps = torch.arange(n, device=draws.device)[:, None]
    if strategy == "future":
        chosen = steps + ((n - steps) * draws.double()).long()
    elif strategy == "episode":
        chosen = (n * draws.double()).long()
    else:
        chosen = torch.full(draws.shape, n - 1, device=draws.device)
    offsets = achieved.double()[:, None] - achieved.double()[None]
    near = torch.linalg.vector_norm(offsets, dim=-1) <= threshold
    return achieved[chosen], near.gather(1, chosen)


def her_relabel(
    achieved, desired, r, done, ends, draws, threshold, strategy="future"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (source, goal, reward, done) of all transitions, the relabeled copies after the originals."""
    borders = (torch.nonzero(ends).flatten()[:-1] + 1).tolist()
    episodes = zip(torch.tensor_split(achieved, borders), torch.tensor_split(draws, borders))
    results = [relabel_episode(a, d, threshold, strategy) for a, d in episodes]
    new_goals = torch.cat([goals.flatten(0, 1) for goals, _ in results])
    reached = torch.cat([hits.flatten() for _, hits in results])
    index = torch.arange(len(r), device=r.device)
    source = torch.cat([index, index[:, None].expand_as(draws).flatten()])
    reward = torch.cat([r, torch.where(reached, 0.0, -1.0).to(r.dtype)])
    return source, torch.cat([desired, new_goals]), reward, torch.cat([done, reached])
