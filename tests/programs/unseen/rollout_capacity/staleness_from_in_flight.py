# expect: wrong
# mistake: If the trainer is the limit, the mean staleness counts only the samples in generation and leaves out the queue.
import math


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    rollout = slots_per_gpu * gpus / mean_latency
    trainer = train_batch / t_train
    admission = (eta + 1) * train_batch / (mean_latency + t_train)
    throughput = min(rollout, trainer, admission)
    if throughput == rollout:
        bottleneck = "rollout"
    elif throughput == trainer:
        bottleneck = "trainer"
    else:
        bottleneck = "admission"
    in_flight = throughput * mean_latency
    return {
        "throughput": throughput,
        "in_flight": in_flight,
        "mean_staleness": min(in_flight / train_batch, eta),
        "bottleneck": bottleneck,
        "min_gpus": math.ceil(min(trainer, admission) * mean_latency / slots_per_gpu),
    }
