import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    """Work out the targets as lambda returns; the advantages are what they say above the values."""
    with torch.no_grad():
        done = torch.logical_or(terminated, truncated)
        targets = []
        next_target, next_v = next_value, next_value
        rows = zip(*(x.flip(0).unbind(0) for x in (rewards, values, terminated, done, final_values)), strict=True)
        for reward, value, dead, end, final in rows:
            mixed = torch.lerp(next_v, next_target, lam)
            future = torch.where(dead, torch.zeros_like(value), torch.where(end, final, mixed))
            next_target, next_v = torch.add(reward, future, alpha=gamma), value
            targets.append(next_target)
        targets = torch.stack(targets[::-1])
        return targets - values, targets
