# expect: wrong
# mistake: The test whether all peers are equal also looks at the rewards of invalid answers, so equal peers are divided by a deviation of 0 or by its rounding error if an invalid answer has another reward.
import torch


def peers_are_equal(row, i):
    others = torch.cat([row[:i], row[i + 1 :]])
    return bool((others == others[0]).all())


def leave_one_out_advantages(rewards, valid):
    result = torch.zeros_like(rewards)
    groups, size = rewards.shape
    for g in range(groups):
        row = rewards[g].double()
        for i in range(size):
            if not valid[g, i]:
                continue
            keep = valid[g] & (torch.arange(size) != i)
            peers = row[keep]
            if len(peers) == 0:
                continue
            anchor = peers[0]
            mean = (peers - anchor).mean()
            value = row[i] - anchor - mean
            if len(peers) > 1 and not peers_are_equal(row, i):
                value = value / (peers - anchor).std()
            result[g, i] = value
    return result
