"""The gradient is proportional to the distance from the target, so it pulls a margin back that has overshot."""


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta):
    """Return the mean squared distance between each pair's margin and 1 / (2 beta), a 0-dim tensor.

    Shapes: pi_w, pi_l, ref_w, ref_l [B].
    Units: log-probabilities and margins in nats.
    Source: arXiv:2310.12036, eq. 17.
    """
    margin = (pi_w - ref_w.detach()) - (pi_l - ref_l.detach())
    return (margin - 1 / (2 * beta)).square().mean()
