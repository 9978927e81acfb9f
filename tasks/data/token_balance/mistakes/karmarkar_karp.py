def spread(samples, lengths, count):
    groups = [[] for _ in range(count)]
    tokens = [0] * count
    for i in sorted(samples, key=lambda i: (-lengths[i], i)):
        j = min(range(count), key=lambda j: tokens[j])
        groups[j].append(i)
        tokens[j] += lengths[i]
    return groups


def differencing(lengths, count):
    states = [[(length, [i])] + [(0, [])] * (count - 1) for i, length in enumerate(lengths)]
    while len(states) > 1:
        states.sort(key=lambda state: state[0][0] - state[-1][0])
        one, other = states.pop(), states.pop()
        merged = [(a + b, held + more) for (a, held), (b, more) in zip(one, reversed(other))]
        states.append(sorted(merged, key=lambda group: -group[0]))
    return [held for _, held in states[0]]


def fits(micros, lengths, cap):
    return all(sum(lengths[i] for i in micro) <= cap for micro in micros)


def token_balance(lengths, ranks, cap):
    if any(length > cap for length in lengths):
        raise ValueError("a sample is longer than the cap")
    shares = differencing(lengths, ranks)
    n = 1
    while not all(fits(spread(share, lengths, n), lengths, cap) for share in shares):
        n += 1
    return [spread(share, lengths, n) for share in shares]
