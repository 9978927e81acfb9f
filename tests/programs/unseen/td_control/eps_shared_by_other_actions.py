# expect: wrong
# mistake: Expected SARSA gives the greedy action the probability 1 - eps and shares eps among the other actions only, instead of among all actions.
import torch


def _next_value(row, next_action, method, eps):
    if method == "q_learning":
        return row.max()
    if method == "sarsa":
        return row[next_action]
    n = row.shape[0]
    if n == 1:
        return row[0]
    probs = torch.full_like(row, eps / (n - 1))
    probs[row.argmax()] = 1 - eps
    return torch.dot(probs, row)


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    table = q.clone()
    errors = []
    for si, ai, ri, sn, an, d in zip(s.tolist(), a.tolist(), r, s_next.tolist(), a_next.tolist(), done.tolist()):
        target = ri.clone()
        if not d:
            target += gamma * _next_value(table[sn], an, method, eps)
        delta = target - table[si, ai]
        table[si, ai] += alpha * delta
        errors.append(delta)
    return table, torch.stack(errors) if errors else q.new_zeros(0)
