import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    table = [[float(x) for x in row] for row in q]
    errors = []
    for t in range(len(r)):
        state, action = int(s[t]), int(a[t])
        future = 0.0
        if not bool(done[t]):
            row = table[int(s_next[t])]
            if method == "q_learning":
                future = max(row)
            elif method == "sarsa":
                future = row[int(a_next[t])]
            else:
                future = (1 - eps) * max(row) + eps * sum(row) / len(row)
        error = float(r[t]) + gamma * future - table[state][action]
        table[state][action] += alpha * error
        errors.append(error)
    like = {"dtype": q.dtype, "device": q.device}
    return torch.tensor(table, **like), torch.tensor(errors, **like)
