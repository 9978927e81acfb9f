def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return {"step_times": float64 tensor; "utilisation", "wasted_tokens", "mean_trained_length": floats}.

    mode: "sync", "over_provision" or "partial"; times in units of one token.
    """
    raise NotImplementedError
