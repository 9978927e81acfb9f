"""The last rank waits for p - 1 forward passes before its first pass, and the first rank for p - 1 backward passes."""


def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    """Return the idle fraction, the seconds of a step, and the forward passes in flight on each rank at the peak.

    Source: arXiv:2104.04473, section 2.2; the warm-up: Megatron-LM, pipeline_parallel/schedules.py.
    """
    # A slot is a forward and a backward pass through one chunk; every rank is busy for as many slots as it has passes.
    transfers = 2 * t_comm if p > 1 else 0.0
    slot = (tf + tb) / v + transfers
    busy = m * v
    slots = busy + p - 1
    peak_inflight = []
    for ranks_after in reversed(range(p)):
        warm_up = ranks_after if v == 1 else 2 * ranks_after + (v - 1) * p
        peak_inflight.append(min(warm_up + 1, busy))
    return 1 - busy / slots, slots * slot, peak_inflight
