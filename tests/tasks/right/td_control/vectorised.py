import torch


@torch.no_grad()
def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    table = q.clone()
    errors = torch.zeros_like(r)
    actions = q.shape[1]
    for t in range(r.shape[0]):
        at = (s[t], a[t])
        if done[t]:
            target = r[t]
        else:
            following = table[s_next[t]]
            if method == "sarsa":
                value = following[a_next[t]]
            else:
                explore = eps if method == "expected_sarsa" else 0.0
                probabilities = torch.full_like(following, explore / actions)
                probabilities[following.argmax()] += 1 - explore
                value = probabilities @ following
            target = r[t] + gamma * value
        errors[t] = target - table[at]
        table[at] += alpha * errors[t]
    return table, errors
