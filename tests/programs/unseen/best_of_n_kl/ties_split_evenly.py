# expect: wrong
# mistake: The winning probability of a group of tied answers is split evenly among them instead of in proportion to their policy probabilities.
import math

import torch


def best_of_n_kl(n, probs, rewards):
    B, M = probs.shape
    out = []
    for b in range(B):
        p = probs[b].tolist()
        r = rewards[b].tolist()
        total = math.fsum(p)
        p = [x / total for x in p]
        groups = {}
        for i in range(M):
            if p[i] > 0:
                groups.setdefault(r[i], []).append(i)
        below = 0.0
        terms = []
        for reward in sorted(groups):
            members = groups[reward]
            mass = math.fsum(p[i] for i in members)
            upto = below + mass
            win = upto**n - below**n
            each = win / len(members)
            for i in members:
                if each > 0:
                    terms.append(each * math.log(each / p[i]))
            below = upto
        out.append(math.fsum(terms))
    bound = math.log(n) - (n - 1) / n
    return torch.tensor(out, dtype=torch.float64), bound
