# expect: wrong
# mistake: The updates are written into the q of the caller, and errors are returned in float32 also for a float64 q.
import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    table = q
    deltas = []
    for t in range(len(s)):
        state, action, reward = int(s[t]), int(a[t]), float(r[t])
        if done[t]:
            future = 0.0
        else:
            values = table[int(s_next[t])].tolist()
            if method == "sarsa":
                future = values[int(a_next[t])]
            elif method == "q_learning":
                future = max(values)
            else:
                future = eps * sum(values) / len(values) + (1 - eps) * max(values)
        delta = reward + gamma * future - float(table[state, action])
        table[state, action] += alpha * delta
        deltas.append(delta)
    return table, torch.tensor(deltas)
