def token_balance(lengths, ranks, cap):
    """The count only grows while going through the ranks, and is then used for all of them."""
    todo = list(enumerate(lengths))
    todo.sort(key=lambda pair: pair[1], reverse=True)
    if todo[0][1] > cap:
        raise ValueError("too long")

    def place(pairs, k):
        bins = [([], 0)] * k
        for index, length in pairs:
            best = 0
            for b in range(1, k):
                if bins[b][1] < bins[best][1]:
                    best = b
            held, total = bins[best]
            bins[best] = (held + [(index, length)], total + length)
        return bins

    owned = [held for held, _ in place(todo, ranks)]
    k, stable = 1, False
    while not stable:
        stable = True
        for pairs in owned:
            while any(total > cap for _, total in place(pairs, k)):
                k, stable = k + 1, False
    return [[[index for index, _ in held] for held, _ in place(pairs, k)] for pairs in owned]
