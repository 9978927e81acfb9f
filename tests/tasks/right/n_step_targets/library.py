import torch


def n_step_targets(r, v, done, gamma, n):
    dtype, r, v = r.dtype, r.detach().double(), v.detach().double()
    steps = len(r)
    place = torch.arange(steps, device=r.device)
    distance = place[None, :] - place[:, None]
    # An episode number for each step: steps with equal numbers share an episode.
    before = torch.cumsum(done.long(), dim=0) - done.long()
    counts = (distance >= 0) & (distance < n) & (before[None, :] == before[:, None])
    weights = torch.where(counts, torch.tensor(gamma, dtype=r.dtype, device=r.device) ** distance.clamp(min=0), 0.0)
    last = place + counts.sum(dim=1) - 1
    bootstrap = v[1:][last] * float(gamma) ** counts.sum(dim=1)
    bootstrap = torch.where(done[last], torch.zeros_like(bootstrap), bootstrap)
    return (weights @ r + bootstrap).to(dtype)
