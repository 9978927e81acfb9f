# expect: wrong
# mistake: a request is admitted as soon as the blocks of its first chunk are free, instead of those of all its tokens and one more
from collections import deque


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    def ceil_div(tokens):
        return (tokens - 1) // block_size + 1 if tokens else 0

    n = len(requests)
    kv = [0] * n
    length = [prompt for _, prompt, _ in requests]
    target = [prompt + output for _, prompt, output in requests]
    first, finish, preemptions = [-1] * n, [-1] * n, [0] * n
    wasted = 0
    free = num_blocks
    todo = sum(ceil_div(t) <= num_blocks for t in target)
    waiting, running = deque(), []
    step = 0
    while todo:
        for i in range(n):
            if requests[i][0] == step and ceil_div(target[i]) <= num_blocks:
                waiting.append(i)

        budget = token_budget
        at = 0
        while at < len(running):
            i = running[at]
            chunk = min(budget, length[i] - kv[i])
            missing = ceil_div(kv[i] + chunk) - ceil_div(kv[i])
            while free < missing and len(running) > at:
                out = running.pop()
                free += ceil_div(kv[out])
                wasted += kv[out]
                kv[out] = 0
                preemptions[out] += 1
                waiting.appendleft(out)
            if len(running) > at:
                free -= missing
                kv[i] += chunk
                budget -= chunk
            at += 1

        while budget > 0 and waiting:
            i = waiting[0]
            chunk = min(budget, length[i])
            if ceil_div(chunk) > free:
                break
            waiting.popleft()
            running.append(i)
            kv[i] = chunk
            free -= ceil_div(chunk)
            budget -= chunk

        for i in list(running):
            if kv[i] < length[i]:
                continue
            length[i] += 1
            if first[i] == -1:
                first[i] = step
            if length[i] == target[i]:
                finish[i] = step
                free += ceil_div(kv[i])
                running.remove(i)
                todo -= 1
        step += 1
    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
