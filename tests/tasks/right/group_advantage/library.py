import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    """Sort the answers by group, cut them into groups and put the results back into the old order."""
    order = torch.argsort(group_id, stable=True)
    sizes = torch.unique_consecutive(group_id[order], return_counts=True)[1].tolist()

    def one(own):
        if len(own) == 1 or torch.equal(own, own[:1].expand_as(own)):
            return torch.zeros_like(own)
        deviation, mean = torch.std_mean(own, correction=1 if unbiased else 0)
        if scale == "std":
            return (own - mean) / (deviation + eps)
        if scale == "batch":
            return (own - mean) / (torch.std(rewards, correction=1 if unbiased else 0) + eps)
        return own - mean

    results = torch.cat([one(own) for own in rewards[order].split(sizes)])
    return torch.empty_like(results).scatter_(0, order, results)
