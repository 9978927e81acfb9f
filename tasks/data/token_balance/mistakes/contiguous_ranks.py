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
    per = -(-len(lengths) // ranks)
    shares = [list(range(len(lengths)))[rank * per : (rank + 1) * per] for rank in range(ranks)]
    n = 1
    while not all(fits(spread(share, lengths, n), lengths, cap) for share in shares):
        n += 1
    return [spread(share, lengths, n) for share in shares]
