from fractions import Fraction

import torch


def aux_free_bias_update(scores, bias, k, u):
    M, T, E = scores.shape
    b = bias.detach().tolist()
    load = [0] * E
    experts, gates = [], []
    for m in range(M):
        for t in range(T):
            values = scores[m, t].tolist()
            ranked = sorted(range(E), key=lambda e: values[e] + b[e], reverse=True)[:k]
            for e in ranked:
                load[e] += 1
            experts.append(ranked)
            own = torch.stack([scores[m, t, e].float() for e in ranked])
            gates.append(own / own.sum())
    mean = Fraction(sum(load), E)
    steps = [u if count < mean else -u if count > mean else 0.0 for count in load]
    new_bias = bias.detach() + torch.tensor(steps)
    return torch.stack(gates).view(M, T, k), torch.tensor(experts).view(M, T, k), new_bias
