import torch


def vtrace(
    behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (vs, pg_adv), both [T, B], without gradient.

    behav_logp, target_logp, r, v, discount: [T, B] float; v_last: [B] float.
    """
    raise NotImplementedError
