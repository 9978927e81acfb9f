# expect: right
import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    if method not in ("q_learning", "sarsa", "expected_sarsa"):
        raise ValueError(method)
    table = q.clone(memory_format=torch.contiguous_format)
    errors = torch.zeros(s.shape[0], dtype=q.dtype)
    for t in range(s.shape[0]):
        target = r[t]
        if not bool(done[t]):
            nxt = table[int(s_next[t])]
            if method == "q_learning":
                value = nxt.max()
            elif method == "sarsa":
                value = nxt[int(a_next[t])]
            else:
                value = (1 - eps) * nxt.max() + eps * nxt.mean()
            target = target + gamma * value
        i, j = int(s[t]), int(a[t])
        errors[t] = target - table[i, j]
        table[i, j] += alpha * errors[t]
    return table, errors
