# expect: wrong
# mistake: The admission limit divides the places by the latency only, as if a place were not held during training.
import math


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    rollout = gpus * slots_per_gpu / mean_latency
    trainer = train_batch / t_train
    admission = (eta + 1) * train_batch / mean_latency
    throughput, bottleneck = min((rollout, "rollout"), (trainer, "trainer"), (admission, "admission"))
    in_flight = throughput * mean_latency
    mean_staleness = eta if bottleneck == "trainer" else min(in_flight / train_batch, eta)
    min_gpus = math.ceil(min(trainer, admission) * mean_latency / slots_per_gpu)
    return {
        "throughput": throughput,
        "in_flight": in_flight,
        "mean_staleness": mean_staleness,
        "bottleneck": bottleneck,
        "min_gpus": min_gpus,
    }
