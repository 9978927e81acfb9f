# expect: right
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Work on the list of legal (state, action) pairs only; then go through the states one by one."""
    num_states, num_actions = adv.shape
    rows, cols = legal.nonzero(as_tuple=True)
    picked = adv[rows, cols]
    sums = adv.new_zeros(num_states).index_add(0, rows, picked)
    counts = torch.bincount(rows, minlength=num_states)
    centred = picked - sums[rows] / counts[rows]
    q = adv.new_full((num_states, num_actions), -torch.inf).index_put((rows, cols), v[rows, 0] + centred)

    action = torch.full((num_states,), -1, dtype=torch.int64, device=adv.device)
    best = adv.new_zeros(num_states)
    with torch.no_grad():
        for s in range(num_states):
            for a in range(num_actions):
                if legal[s, a] and (action[s] < 0 or q[s, a] > best[s]):
                    action[s] = a
                    best[s] = q[s, a]
    return q, action, best
