# expect: wrong
# mistake: A transition counts as the end of its episode only if s_next is not a valid state, so with done true and a valid s_next the next state's value is still added.
import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    S, A = q.shape
    table = q.clone()
    errors = torch.zeros(s.numel(), dtype=q.dtype)
    for t in range(s.numel()):
        ns, na = s_next[t].item(), a_next[t].item()
        v = q.new_zeros(())
        if 0 <= ns < S:
            if method == "q_learning":
                v = table[ns].max()
            elif method == "sarsa":
                v = table[ns, na] if 0 <= na < A else v
            elif method == "expected_sarsa":
                greedy = table[ns].max()
                v = (1 - eps) * greedy + eps * table[ns].sum() / A
        errors[t] = r[t] + gamma * v - table[s[t], a[t]]
        table[s[t], a[t]] += alpha * errors[t]
    return table, errors
