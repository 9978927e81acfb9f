import statistics

import torch


def leave_one_out_advantages(rewards, valid):
    table, is_valid = rewards.tolist(), valid.tolist()
    out = [[0.0] * rewards.shape[1] for _ in table]
    for g, row in enumerate(table):
        for n, own in enumerate(row):
            peers = [x for k, x in enumerate(row) if k != n and is_valid[g][k]]
            if not is_valid[g][n] or not peers:
                continue
            if min(peers) == max(peers):
                out[g][n] = own - peers[0]
            else:
                out[g][n] = (own - statistics.fmean(peers)) / statistics.stdev(peers)
    return torch.tensor(out, dtype=rewards.dtype, device=rewards.device)
