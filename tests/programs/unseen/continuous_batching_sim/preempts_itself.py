# expect: wrong
# mistake: the request that finds no block is preempted itself, instead of the one that was admitted last
# mistake: wasted counts all tokens that a preempted request knows, instead of those whose KV was computed
from collections import deque


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    size = lambda n: -(-n // block_size)
    N = len(requests)
    kv, gen = [0] * N, [0] * N
    first, finish, preemptions, wasted = [-1] * N, [-1] * N, [0] * N, 0
    waiting, running, nxt, step, free = deque(), [], 0, 0, num_blocks

    while nxt < N or waiting or running:
        while nxt < N and requests[nxt][0] <= step:
            if size(requests[nxt][1] + requests[nxt][2]) <= num_blocks:
                waiting.append(nxt)
            nxt += 1

        budget = token_budget
        kept = []
        evicted = []
        for i in running:
            known = requests[i][1] + gen[i]
            take = min(known - kv[i], budget)
            grow = size(kv[i] + take) - size(kv[i])
            if grow > free:
                free += size(kv[i])
                wasted += known
                kv[i] = 0
                preemptions[i] += 1
                evicted.append(i)
                continue
            free -= grow
            kv[i] += take
            budget -= take
            kept.append(i)
        running = kept
        waiting.extendleft(reversed(evicted))

        while waiting and budget > 0:
            i = waiting[0]
            known = requests[i][1] + gen[i]
            if size(known + 1) > free:
                break
            waiting.popleft()
            kv[i] = min(known, budget)
            free -= size(kv[i])
            budget -= kv[i]
            running.append(i)

        for i in running[:]:
            if kv[i] == requests[i][1] + gen[i]:
                gen[i] += 1
                if gen[i] == 1:
                    first[i] = step
                if gen[i] == requests[i][2]:
                    finish[i] = step
                    free += size(kv[i])
                    running.remove(i)
        step += 1
    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
