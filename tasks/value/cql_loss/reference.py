"""The gap is the cross-entropy of the logged action under a softmax over the values."""


def cql_loss(q, a, target, alpha):
    """Return the loss and, detached, the mean gap, two 0-dim tensors.

    Shapes: q [B, A]; a, target [B].
    Source: arXiv:2006.04779, section 3.2, eq. 4.
    """
    chosen = q.gather(1, a[:, None])[:, 0]
    # log_softmax subtracts the row maximum first, so nothing overflows.
    gap = -q.log_softmax(dim=1).gather(1, a[:, None]).mean()
    td_loss = 0.5 * (chosen - target.detach()).square().mean()
    return td_loss + alpha * gap, gap.detach()
