# expect: wrong
# mistake: Expected SARSA takes the greedy action of every state from the initial table instead of the current one.
import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    num_states, num_actions = q.shape
    table = q.clone()
    errors = torch.empty_like(r, memory_format=torch.contiguous_format)

    # Behaviour policy: eps-greedy, pi[s, a]
    pi = torch.full_like(table, eps / num_actions)
    pi[torch.arange(num_states), table.argmax(dim=1)] += 1 - eps

    for t in range(len(s)):
        if done[t]:
            bootstrap = 0.0
        else:
            sn = s_next[t]
            if method == "q_learning":
                bootstrap = table[sn].max()
            elif method == "sarsa":
                bootstrap = table[sn, a_next[t]]
            elif method == "expected_sarsa":
                bootstrap = (pi[sn] * table[sn]).sum()
            else:
                raise ValueError(f"unknown method {method}")
        delta = r[t] + gamma * bootstrap - table[s[t], a[t]]
        errors[t] = delta
        table[s[t], a[t]] += alpha * delta
    return table, errors
