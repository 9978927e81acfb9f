import torch


def dueling_head(v, adv, legal):
    rows, actions, best = [], [], []
    minus_infinity = v.new_tensor(float("-inf"))
    for state in range(adv.shape[0]):
        allowed = [a for a in range(adv.shape[1]) if legal[state, a]]
        row = [minus_infinity] * adv.shape[1]
        if allowed:
            mean = sum(adv[state, a] for a in allowed) / len(allowed)
            for a in allowed:
                row[a] = v[state, 0] + (adv[state, a] - mean)
            winner = allowed[0]
            for a in allowed[1:]:
                if row[a].item() > row[winner].item():
                    winner = a
            actions.append(winner)
            best.append(row[winner].detach())
        else:
            actions.append(-1)
            best.append(torch.zeros_like(minus_infinity))
        rows.append(torch.stack(row))
    return torch.stack(rows), torch.tensor(actions), torch.stack(best)
