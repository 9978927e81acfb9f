# expect: wrong
# mistake: Within a rank, the samples are taken in the order of their indices instead of from the longest to the shortest, and a microbatch of several samples with exactly cap tokens is treated as too large.
def token_balance(lengths, ranks, cap):
    if any(n > cap for n in lengths):
        raise ValueError("sample exceeds cap")

    rank_tokens = [0] * ranks
    rank_samples = [[] for _ in range(ranks)]
    for i in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        r = min(range(ranks), key=lambda r: rank_tokens[r])
        rank_samples[r].append(i)
        rank_tokens[r] += lengths[i]

    def split(samples, n):
        micro = [[] for _ in range(n)]
        tokens = [0] * n
        for i in sorted(samples):
            b = min(range(n), key=lambda b: tokens[b])
            micro[b].append(i)
            tokens[b] += lengths[i]
        ok = all(t < cap or len(m) == 1 for m, t in zip(micro, tokens))
        return micro, ok

    n = 1
    while True:
        splits = [split(samples, n) for samples in rank_samples]
        if all(ok for _, ok in splits):
            return [micro for micro, _ in splits]
        n += 1
