import torch

NEXT_VALUE = {
    "q_learning": lambda row, action, eps: row.amax(),
    "sarsa": lambda row, action, eps: row[action],
    "expected_sarsa": lambda row, action, eps: torch.lerp(row.amax(), row.mean(), eps),
}


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    table = q.detach().clone(memory_format=torch.contiguous_format)
    next_value, errors = NEXT_VALUE[method], []
    steps = zip(s.tolist(), a.tolist(), r.detach(), s_next.tolist(), a_next.tolist(), done.tolist(), strict=True)
    for state, action, reward, after, action_after, is_last in steps:
        future = 0.0 if is_last else gamma * next_value(table[after], action_after, eps)
        error = reward + future - table[state, action]
        table[state, action].add_(error, alpha=alpha)
        errors.append(error)
    return table, torch.stack(errors) if errors else r.detach().clone()
