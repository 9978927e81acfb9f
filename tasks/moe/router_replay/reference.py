"""The record determines which experts are used; the logits determine their weights."""

import torch


def topk_with_replay(logits, k, replay=None):
    """Return the gates and the experts of each token, with the recorded experts if there are any.

    Shapes: logits [T, E]; replay, gates, experts [T, k].
    Raises: ValueError if a recorded row is neither all -1 nor k different experts.
    Source: arXiv:2510.11370.
    """
    experts = logits.topk(k, dim=1).indices
    if replay is not None:
        is_empty = (replay == -1).all(dim=1, keepdim=True)
        _check(replay[~is_empty[:, 0]], logits.shape[1])
        experts = torch.where(is_empty, experts, replay)
    # Gathered from the trainer's logits: recorded gates would be constants, so the router would not be trained.
    return logits.gather(1, experts).softmax(dim=1), experts


def _check(rows, expert_count):
    if ((rows < 0) | (rows >= expert_count)).any():
        raise ValueError(f"replay: expected experts from 0 to {expert_count - 1}, got {rows.min()} to {rows.max()}")
    if (rows.sort(dim=1).values.diff(dim=1) == 0).any():
        raise ValueError("replay: expected different experts in each row, got one twice")
