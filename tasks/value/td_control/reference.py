"""The methods differ in one line: how the row of the next state becomes a single value."""

import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    """Return the table after all updates and the TD error of each transition.

    Shapes: q [S, A]; all other tensors [T]; the results [S, A] and [T].
    Source: Sutton and Barto, Reinforcement Learning, 2nd edition, sections 6.4-6.6.
    """
    table = q.clone()
    errors = torch.empty_like(r)
    for t in range(len(r)):
        target = r[t]
        if not done[t]:
            row = table[s_next[t]]
            if method == "sarsa":
                value = row[a_next[t]]
            elif method == "expected_sarsa":
                value = (1 - eps) * row.amax() + eps * row.mean()
            else:
                value = row.amax()
            target = target + gamma * value
        errors[t] = target - table[s[t], a[t]]
        table[s[t], a[t]] += alpha * errors[t]
    return table, errors
