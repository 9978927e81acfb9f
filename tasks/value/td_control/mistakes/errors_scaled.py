import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    table = q.clone()
    errors = []
    for t in range(len(r)):
        old = table[s[t], a[t]].clone()
        if done[t]:
            target = r[t]
        else:
            row = table[s_next[t]]
            best = row.max()
            if method == "q_learning":
                value = best
            elif method == "sarsa":
                value = row[a_next[t]]
            else:
                value = (1 - eps) * best + eps * row.mean()
            target = r[t] + gamma * value
        error = target - old
        errors.append(alpha * error)
        table[s[t], a[t]] = old + alpha * error
    return table, torch.stack(errors)
