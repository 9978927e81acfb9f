def one_f_one_b_schedule(stages, microbatches):
    """Return one program per stage: a list of steps, each of which is a list of actions such as ("forward", 0)."""
    raise NotImplementedError
