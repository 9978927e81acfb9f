# expect: wrong
# mistake: The number of microbatches is the largest rank total divided by cap, rounded up, without checking that the greedy distribution keeps every microbatch within cap.
import math


def distribute(indices, lengths, n):
    bins = [[] for _ in range(n)]
    sums = [0] * n
    for i in indices:
        j = sums.index(min(sums))
        bins[j].append(i)
        sums[j] += lengths[i]
    return bins, sums


def token_balance(lengths, ranks, cap):
    if any(l > cap for l in lengths):
        raise ValueError("A sample is longer than the cap.")

    by_length = sorted(range(len(lengths)), key=lambda i: lengths[i], reverse=True)
    shards, totals = distribute(by_length, lengths, ranks)
    num_micro = max(1, math.ceil(max(totals) / cap))
    return [distribute(shard, lengths, num_micro)[0] for shard in shards]
