# expect: wrong
# mistake: The mean staleness is not limited to eta where the liquid gives more.
import math


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    limit = {}
    limit["rollout"] = slots_per_gpu * gpus / mean_latency
    limit["trainer"] = train_batch / t_train
    limit["admission"] = (eta + 1) * train_batch / (mean_latency + t_train)
    name, rate = min(limit.items(), key=lambda item: item[1])
    generating = rate * mean_latency
    queued = 0.0
    if name == "trainer":
        queued = (eta + 1) * train_batch - generating - train_batch
    need = min(limit["trainer"], limit["admission"]) * mean_latency / slots_per_gpu
    return {
        "throughput": rate,
        "in_flight": generating,
        "mean_staleness": (generating + queued) / train_batch,
        "bottleneck": name,
        "min_gpus": math.ceil(need),
    }
