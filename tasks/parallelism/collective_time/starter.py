def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    """Return the seconds that the collective takes.

    bytes: the whole array; bw: bytes per second and direction; alpha: seconds per step.
    """
    raise NotImplementedError
