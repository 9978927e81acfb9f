def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    """Return {"throughput", "in_flight", "mean_staleness": floats, "bottleneck": str, "min_gpus": int}.

    t_train, mean_latency: seconds; throughput: samples per second; mean_staleness: versions.
    """
    raise NotImplementedError
