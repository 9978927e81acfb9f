# expect: wrong
# mistake: The blocks of a running request that finishes are free at once, for later requests of the same step, instead of from the next step on.
from collections import deque


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    n = len(requests)
    need_blocks = lambda t: (t + block_size - 1) // block_size
    gen = [0] * n
    done = [0] * n          # tokens whose KV is computed
    first = [-1] * n
    finish = [-1] * n
    preempted = [0] * n
    wasted = 0
    queue = deque()
    active = []
    free = num_blocks
    nxt = 0
    step = 0

    def known(i):
        return requests[i][1] + gen[i]

    def maybe_generate(i):
        nonlocal free
        if done[i] != known(i):
            return
        gen[i] += 1
        if gen[i] == 1:
            first[i] = step
        if gen[i] == requests[i][2]:
            finish[i] = step
            free += need_blocks(done[i])

    while nxt < n or queue or active:
        while nxt < n and requests[nxt][0] == step:
            _, prompt, output = requests[nxt]
            if prompt + output <= num_blocks * block_size:
                queue.append(nxt)
            nxt += 1

        budget = token_budget
        k = 0
        while k < len(active) and budget:
            i = active[k]
            take = min(budget, known(i) - done[i])
            extra = need_blocks(done[i] + take) - need_blocks(done[i])
            gone = False
            while extra > free:
                v = active.pop()
                free += need_blocks(done[v])
                wasted += done[v]
                done[v] = 0
                preempted[v] += 1
                queue.appendleft(v)
                if v == i:
                    gone = True
                    break
            if gone:
                break
            free -= extra
            done[i] += take
            budget -= take
            maybe_generate(i)
            k += 1

        while budget and queue:
            i = queue[0]
            if need_blocks(known(i) + 1) > free:
                break
            queue.popleft()
            take = min(budget, known(i))
            done[i] = take
            free -= need_blocks(take)
            budget -= take
            active.append(i)
            maybe_generate(i)

        active = [i for i in active if finish[i] < 0]
        step += 1

    return {"first": first, "finish": finish, "preemptions": preempted, "wasted": wasted}
