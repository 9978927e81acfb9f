"""Throughput is the smallest of three rates; everything else follows from it by Little's law."""

import math


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    """Return the steady throughput, samples in flight, mean staleness in versions, bottleneck and minimum GPU count.

    Units: t_train and mean_latency in seconds, throughput in samples per second.
    Source: Little 1961; the admission rule is that of arXiv:2505.24298, section 5.1.
    """
    places = (eta + 1) * train_batch
    rates = {
        "rollout": gpus * slots_per_gpu / mean_latency,
        "trainer": train_batch / t_train,
        "admission": places / (mean_latency + t_train),
    }
    bottleneck = min(rates, key=rates.get)
    throughput = rates[bottleneck]
    in_flight = throughput * mean_latency
    # A trainer that is never idle works on one of eta + 1 batches; the eta other batches have already been admitted.
    staleness = eta if bottleneck == "trainer" else min(eta, in_flight / train_batch)
    needed = min(rates["trainer"], rates["admission"]) * mean_latency
    return {
        "throughput": throughput,
        "in_flight": in_flight,
        "mean_staleness": float(staleness),
        "bottleneck": bottleneck,
        "min_gpus": math.ceil(needed / slots_per_gpu),
    }
