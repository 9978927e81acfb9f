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
    plan = []
    for share in shares:
        micros = []
        for i in sorted(share, key=lambda i: (-lengths[i], i)):
            room = [micro for micro in micros if sum(lengths[j] for j in micro) + lengths[i] <= cap]
            if room:
                room[0].append(i)
            else:
                micros.append([i])
        plan.append(micros)
    n = max(len(micros) for micros in plan)
    return [micros + [[] for _ in range(n - len(micros))] for micros in plan]
