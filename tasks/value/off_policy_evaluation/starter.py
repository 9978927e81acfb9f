import torch


def off_policy_evaluation(
    target_probs, logged_probs, actions, rewards, q_hat
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the IPS, SNIPS and doubly robust estimates of the new policy's mean reward, 0-dim tensors.

    target_probs, q_hat: [N, A] float; logged_probs, rewards: [N] float; actions: [N] int64.
    """
    raise NotImplementedError
