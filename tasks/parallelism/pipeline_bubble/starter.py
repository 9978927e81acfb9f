def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    """Return (bubble_fraction, makespan, peak_inflight) of a 1F1B schedule with v chunks per rank.

    tf, tb: seconds of computation of one microbatch on one rank; t_comm: seconds of one transfer.
    """
    raise NotImplementedError
