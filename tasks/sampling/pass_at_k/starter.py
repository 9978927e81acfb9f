def pass_at_k(n, c, k) -> float:
    """Return the unbiased estimate of pass@k from n samples, of which c are correct."""
    raise NotImplementedError
