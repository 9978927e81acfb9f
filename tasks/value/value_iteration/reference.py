"""The update is a contraction with factor gamma, so the last change bounds the remaining error."""

import math


def value_iteration(P, R, gamma, tol):
    """Return the values [S], the greedy actions [S] and the number of sweeps.

    Shapes: P [S, A, S]; R [S, A].
    Source: Puterman, Markov Decision Processes, section 6.3.
    """
    values = R.new_zeros(len(R))
    bound = math.inf
    sweeps = 0
    while bound > tol:
        updated = (R + gamma * P @ values).amax(dim=1)
        # All later changes add up to at most gamma + gamma^2 + ... times this change.
        bound = gamma / (1 - gamma) * float((updated - values).abs().amax())
        values = updated
        sweeps += 1
    return values, (R + gamma * P @ values).argmax(dim=1), sweeps
