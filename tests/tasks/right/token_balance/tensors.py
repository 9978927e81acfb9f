import torch


def greedy(lengths, samples, groups):
    load = torch.zeros(groups, dtype=torch.int64)
    owner = {}
    for sample in samples:
        group = int((load == load.min()).nonzero()[0])
        owner[sample] = group
        load[group] += lengths[sample]
    return owner, int(load.max())


def token_balance(lengths, ranks, cap):
    sizes = torch.tensor(lengths)
    if bool((sizes > cap).any()):
        raise ValueError("cap")
    order = torch.sort(sizes, descending=True, stable=True).indices.tolist()
    rank_of, _ = greedy(lengths, order, ranks)
    mine = [[s for s in order if rank_of[s] == r] for r in range(ranks)]
    for n in range(1, len(lengths) + 1):
        parts = [greedy(lengths, samples, n) for samples in mine]
        if all(largest <= cap for _, largest in parts):
            return [[sorted(s for s in owner if owner[s] == m) for m in range(n)] for owner, _ in parts]
