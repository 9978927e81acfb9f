# expect: wrong
# mistake: The returned TD error of a transition is its target minus the value after its update instead of before it.
import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    table = q.clone()
    targets_minus_values = torch.zeros(len(s), dtype=q.dtype)

    def backup(t):
        if done[t]:
            return r[t].clone()
        row = table[s_next[t]]
        best = row.max()
        if method == "q_learning":
            v = best
        elif method == "sarsa":
            v = row[a_next[t]]
        else:
            v = best + eps * (row.mean() - best)
        return r[t] + gamma * v

    for t in range(len(s)):
        target = backup(t)
        cell = (s[t], a[t])
        table[cell] = table[cell] + alpha * (target - table[cell])
        targets_minus_values[t] = target - table[cell]
    return table, targets_minus_values
