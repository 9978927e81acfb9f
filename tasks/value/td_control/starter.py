import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (table, errors): the updated action values [S, A] and the TD errors [T].

    q: [S, A] float; r: [T] float; s, a, s_next, a_next: [T] int64; done: [T] bool.
    method: "q_learning", "sarsa" or "expected_sarsa".
    """
    raise NotImplementedError
