# expect: wrong
# mistake: a request that finishes frees its blocks at once, so that others can use them in the same step
class Seq:
    def __init__(self, i, prompt, output):
        self.i, self.prompt, self.output = i, prompt, output
        self.kv = 0
        self.out = 0


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    total = len(requests)
    first, finish, preemptions = [-1] * total, [-1] * total, [0] * total
    wasted = 0
    free = num_blocks
    waiting, running = [], []
    upcoming = 0
    step = 0

    def blocks(n):
        return (n + block_size - 1) // block_size

    def advance(seq, n):
        """Compute n tokens; generate a token if these were the last known ones."""
        nonlocal free
        free -= blocks(seq.kv + n) - blocks(seq.kv)
        seq.kv += n
        if seq.kv < seq.prompt + seq.out:
            return
        seq.out += 1
        if seq.out == 1:
            first[seq.i] = step
        if seq.out == seq.output:
            finish[seq.i] = step
            free += blocks(seq.kv)
            running.remove(seq)

    while upcoming < total or waiting or running:
        while upcoming < total and requests[upcoming][0] == step:
            _, prompt, output = requests[upcoming]
            if blocks(prompt + output) <= num_blocks:
                waiting.append(Seq(upcoming, prompt, output))
            upcoming += 1

        budget = token_budget
        for seq in list(running):
            if budget == 0 or seq not in running:
                continue
            n = min(seq.prompt + seq.out - seq.kv, budget)
            while seq in running and free < blocks(seq.kv + n) - blocks(seq.kv):
                victim = running.pop()
                wasted += victim.kv
                preemptions[victim.i] += 1
                free += blocks(victim.kv)
                victim.kv = 0
                waiting.insert(0, victim)
            if seq in running:
                budget -= n
                advance(seq, n)

        while budget and waiting and blocks(waiting[0].prompt + waiting[0].out + 1) <= free:
            seq = waiting.pop(0)
            running.append(seq)
            n = min(seq.prompt + seq.out, budget)
            budget -= n
            advance(seq, n)
        step += 1

    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
