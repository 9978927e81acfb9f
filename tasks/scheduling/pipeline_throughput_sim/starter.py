def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    """Return a dict with total_times, rollout_gpus and staleness."""
    raise NotImplementedError
