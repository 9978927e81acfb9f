def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    n = len(requests)
    prompt = [r[1] for r in requests]
    total = [r[1] + r[2] for r in requests]
    known = list(prompt)
    computed = [0] * n
    held = [0] * n
    first, finish, preemptions = [-1] * n, [-1] * n, [0] * n
    wasted = 0
    free = num_blocks
    waiting, running = [], []
    left = set()
    for i in range(n):
        if (total[i] + block_size - 1) // block_size <= num_blocks:
            left.add(i)
    step = 0
    while left:
        for i in range(n):
            if i in left and requests[i][0] == step:
                waiting.append(i)
        budget = token_budget
        pos = 0
        while pos < len(running):
            i = running[pos]
            take = min(known[i] - computed[i], budget)
            need = (computed[i] + take + block_size - 1) // block_size - held[i]
            while need > free:
                v = running.pop()
                preemptions[v] += 1
                wasted += computed[v]
                free += held[v]
                held[v] = 0
                computed[v] = 0
                waiting.insert(0, v)
                if v == i:
                    break
            else:
                free -= need
                held[i] += need
                computed[i] += take
                budget -= take
            pos += 1
        is_idle = not running
        while is_idle and waiting and budget > 0:
            i = waiting[0]
            if (known[i] + 1 + block_size - 1) // block_size > free:
                break
            waiting.pop(0)
            take = min(known[i], budget)
            held[i] = (take + block_size - 1) // block_size
            free -= held[i]
            computed[i] = take
            budget -= take
            running.append(i)
        for i in list(running):
            if computed[i] < known[i]:
                continue
            if first[i] < 0:
                first[i] = step
            known[i] += 1
            if known[i] == total[i]:
                finish[i] = step
                running.remove(i)
                left.remove(i)
                free += held[i]
                held[i] = 0
        step += 1
    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
