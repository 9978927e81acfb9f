# expect: wrong
# mistake: Each rank packs its samples with first-fit decreasing up to cap and is padded with empty microbatches, instead of spreading them over the common number of microbatches with the greedy rule.
def token_balance(lengths, ranks, cap):
    for n in lengths:
        if n > cap:
            raise ValueError(f"sample with {n} tokens exceeds cap {cap}")

    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    loads = [0] * ranks
    assigned = [[] for _ in range(ranks)]
    for i in order:
        r = loads.index(min(loads))
        assigned[r].append(i)
        loads[r] += lengths[i]

    plan = []
    for samples in assigned:
        bins, sizes = [], []
        for i in samples:
            for b in range(len(bins)):
                if sizes[b] + lengths[i] <= cap:
                    bins[b].append(i)
                    sizes[b] += lengths[i]
                    break
            else:
                bins.append([i])
                sizes.append(lengths[i])
        plan.append(bins)

    steps = max(len(bins) for bins in plan)
    for bins in plan:
        while len(bins) < steps:
            bins.append([])
    return plan
