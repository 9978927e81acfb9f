# expect: wrong
# mistake: A preempted request loses the tokens it has generated and starts again from its prompt.
def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    def nblk(x):
        return -(-x // block_size)

    N = len(requests)
    state = [{"known": p, "left": o, "kv": 0} for _, p, o in requests]
    res = {"first": [-1] * N, "finish": [-1] * N, "preemptions": [0] * N, "wasted": 0}
    waiting, running = [], []
    t = 0
    seen = 0
    free = num_blocks

    def preempt():
        nonlocal free
        v = running.pop()
        free += nblk(state[v]["kv"])
        res["preemptions"][v] += 1
        res["wasted"] += state[v]["kv"]
        state[v] = {"known": requests[v][1], "left": requests[v][2], "kv": 0}
        waiting.insert(0, v)
        return v

    while True:
        while seen < N and requests[seen][0] <= t:
            if nblk(requests[seen][1] + requests[seen][2]) <= num_blocks:
                waiting.append(seen)
            seen += 1
        if seen == N and not waiting and not running:
            return res

        left = token_budget
        for r in list(running):
            if left == 0 or r not in running:
                break
            s = state[r]
            c = min(s["known"] - s["kv"], left)
            while nblk(s["kv"] + c) - nblk(s["kv"]) > free:
                if preempt() == r:
                    break
            if r not in running:
                break
            free -= nblk(s["kv"] + c) - nblk(s["kv"])
            s["kv"] += c
            left -= c

        while left > 0 and waiting:
            r = waiting[0]
            s = state[r]
            if nblk(s["known"] + 1) > free:
                break
            waiting.pop(0)
            running.append(r)
            c = min(s["known"], left)
            s["kv"] = c
            free -= nblk(c)
            left -= c

        for r in running[:]:
            s = state[r]
            if s["kv"] == s["known"]:
                if res["first"][r] == -1:
                    res["first"][r] = t
                s["known"] += 1
                s["left"] -= 1
                if s["left"] == 0:
                    res["finish"][r] = t
                    free += nblk(s["kv"])
                    running.remove(r)
        t += 1
