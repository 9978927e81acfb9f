# expect: wrong
# mistake: k2 is the whole square of k1, not half of it.
import torch


def kl_estimator(logp, ref_logp, kind) -> torch.Tensor:
    """Return an estimate of KL(policy || reference) for each token, [B, T]."""
    reference = ref_logp.detach()
    k1 = torch.sub(logp, reference)
    match kind:
        case "k1":
            return k1
        case "k2":
            return torch.nn.functional.mse_loss(logp, reference, reduction="none")
        case "k3":
            return k1 + torch.expm1(torch.neg(k1))
    raise ValueError(kind)
