"""All comparisons are between logarithms, because the density of a long sequence underflows."""


def rejection_sample(log_p, log_q, uniforms, log_m, n):
    """Return the indices of the accepted proposals, the number of proposals used, and the number of violations.

    Shapes: log_p, log_q, uniforms [N]; the indices [K] with K <= n.
    Source: Bishop, Pattern Recognition and Machine Learning, section 11.1.2.
    """
    log_acceptance = log_p - log_q - log_m
    # The comparison is strict, so a uniform number of 0 does not accept a proposal outside the support.
    accepted = (uniforms.log() < log_acceptance).nonzero().squeeze(1)
    used = int(accepted[n - 1]) + 1 if len(accepted) >= n else len(log_p)
    violations = int((log_acceptance[:used] > 0).sum())
    return accepted[:n], used, violations
