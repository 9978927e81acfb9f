# expect: wrong
# mistake: A request is admitted if there are enough free blocks for its known tokens, without the one additional token.
from collections import deque
from math import ceil


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    n = len(requests)
    first = [-1 for _ in range(n)]
    finish = [-1 for _ in range(n)]
    preemptions = [0 for _ in range(n)]
    wasted = 0

    known = [p for _, p, _ in requests]
    target = [p + o for _, p, o in requests]
    computed = [0] * n
    table = [0] * n

    arrivals = deque(range(n))
    waiting = deque()
    running = []

    def used():
        return sum(table)

    step = 0
    while arrivals or waiting or running:
        while arrivals and requests[arrivals[0]][0] <= step:
            i = arrivals.popleft()
            if target[i] <= num_blocks * block_size:
                waiting.append(i)

        budget = token_budget
        # running requests
        order = list(running)
        for i in order:
            if i not in running or budget == 0:
                break
            c = min(known[i] - computed[i], budget)
            want = ceil((computed[i] + c) / block_size)
            while i in running and want - table[i] > num_blocks - used():
                v = running.pop()
                wasted += computed[v]
                computed[v] = 0
                table[v] = 0
                preemptions[v] += 1
                waiting.appendleft(v)
            if i in running:
                computed[i] += c
                table[i] = want
                budget -= c

        # waiting requests
        while waiting and budget > 0:
            i = waiting[0]
            if ceil(known[i] / block_size) > num_blocks - used():
                break
            waiting.popleft()
            running.append(i)
            computed[i] = min(known[i], budget)
            table[i] = ceil(computed[i] / block_size)
            budget -= computed[i]

        # sampling
        for i in list(running):
            if computed[i] < known[i]:
                continue
            known[i] += 1
            if first[i] < 0:
                first[i] = step
            if known[i] == target[i]:
                finish[i] = step
                table[i] = 0
                running.remove(i)
        step += 1

    return dict(first=first, finish=finish, preemptions=preemptions, wasted=wasted)
