# expect: wrong
# mistake: a preempted request loses the tokens that it has generated and generates them again
from collections import deque


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    need = lambda tokens: (tokens + block_size - 1) // block_size
    state = [{"kv": 0, "out": 0} for _ in requests]
    first = [-1] * len(requests)
    finish = [-1] * len(requests)
    preempted = [0] * len(requests)
    wasted = 0
    free = num_blocks
    waiting = deque()
    running = []
    arrived = 0
    step = 0
    while arrived < len(requests) or waiting or running:
        while arrived < len(requests) and requests[arrived][0] == step:
            _, p, o = requests[arrived]
            if need(p + o) <= num_blocks:
                waiting.append(arrived)
            arrived += 1
        budget = token_budget
        position = 0
        while position < len(running) and budget:
            r = running[position]
            st = state[r]
            n = min(budget, requests[r][1] + st["out"] - st["kv"])
            want = need(st["kv"] + n) - need(st["kv"])
            gone = False
            while free < want and not gone:
                v = running.pop()
                free += need(state[v]["kv"])
                wasted += state[v]["kv"]
                preempted[v] += 1
                state[v] = {"kv": 0, "out": 0}
                waiting.appendleft(v)
                gone = v == r
            if not gone:
                st["kv"] += n
                free -= want
                budget -= n
            position += 1
        while waiting and budget:
            r = waiting[0]
            tokens = requests[r][1] + state[r]["out"]
            if need(tokens + 1) > free:
                break
            waiting.popleft()
            n = min(budget, tokens)
            state[r]["kv"] = n
            free -= need(n)
            budget -= n
            running.append(r)
        still = []
        for r in running:
            st = state[r]
            if st["kv"] == requests[r][1] + st["out"]:
                st["out"] += 1
                if first[r] < 0:
                    first[r] = step
                if st["out"] == requests[r][2]:
                    finish[r] = step
                    free += need(st["kv"])
                    continue
            still.append(r)
        running = still
        step += 1
    return {"first": first, "finish": finish, "preemptions": preempted, "wasted": wasted}
