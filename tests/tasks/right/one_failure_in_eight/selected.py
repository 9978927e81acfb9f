import torch


def leave_one_out_advantages(rewards, valid):
    advantages = torch.zeros_like(rewards)
    for g in range(rewards.shape[0]):
        answers = valid[g].nonzero().flatten().tolist()
        for n in answers:
            peers = rewards[g, [k for k in answers if k != n]].double()
            if len(peers) == 0:
                continue
            # Equal numbers have an exact mean only by chance, so the first stands for all.
            is_flat = bool((peers == peers[0]).all())
            centered = rewards[g, n].double() - (peers[0] if is_flat else peers.mean())
            advantages[g, n] = (centered if is_flat else centered / peers.std()).to(rewards.dtype)
    return advantages
