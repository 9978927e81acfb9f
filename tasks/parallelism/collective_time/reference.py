"""The time is one rank's sent bytes divided by bandwidth, plus steps times latency; for a single rank, it is 0."""

import math

CHAINED = ("broadcast", "reduce")


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    """Return the seconds that a collective takes.

    Units: bytes of the whole array; bw in bytes per second and direction; alpha in seconds per step.
    Source: nccl-tests, doc/PERFORMANCE.md.
    """
    if n == 1:
        return 0.0
    passes = 2 if op == "all_reduce" else 1
    if algo == "tree":
        steps, sent = math.ceil(math.log2(n)), bytes
    else:
        steps, sent = n - 1, bytes if op in CHAINED else bytes * (n - 1) / n
    return passes * (steps * alpha + sent / bw)
