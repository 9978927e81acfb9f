"""Equality is tested on the rewards themselves; a deviation of equal numbers need not come out as 0."""

import torch


def leave_one_out_advantages(rewards, valid):
    """Return each answer's advantage over its peers, [G, N]; 0 for invalid answers and for answers without peers.

    Shapes: rewards [G, N] float; valid [G, N] bool; a row is the group of answers to one prompt.
    Source: arXiv:2402.14740, section 2.3 (the leave-one-out baseline).
    """
    advantages = torch.zeros_like(rewards)
    for group, answer in valid.nonzero().tolist():
        is_peer = valid[group].clone()
        is_peer[answer] = False
        peers = rewards[group, is_peer].double()
        if len(peers) == 0:
            continue
        advantage = rewards[group, answer] - peers.mean()
        if (peers != peers[0]).any():
            advantage = advantage / peers.std()
        advantages[group, answer] = advantage
    return advantages
