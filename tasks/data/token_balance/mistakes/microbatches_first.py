def spread(samples, lengths, count):
    groups = [[] for _ in range(count)]
    tokens = [0] * count
    for i in sorted(samples, key=lambda i: (-lengths[i], i)):
        j = min(range(count), key=lambda j: tokens[j])
        groups[j].append(i)
        tokens[j] += lengths[i]
    return groups


def fits(micros, lengths, cap):
    return all(sum(lengths[i] for i in micro) <= cap for micro in micros)


def token_balance(lengths, ranks, cap):
    if any(length > cap for length in lengths):
        raise ValueError("a sample is longer than the cap")
    shares = spread(range(len(lengths)), lengths, ranks)
    n = 1
    while not all(
        fits(spread(micro, lengths, ranks), lengths, cap) for micro in spread(range(len(lengths)), lengths, n)
    ):
        n += 1
    micros = [spread(micro, lengths, ranks) for micro in spread(range(len(lengths)), lengths, n)]
    return [[micro[rank] for micro in micros] for rank in range(ranks)]
