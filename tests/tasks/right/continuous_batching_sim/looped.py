from math import ceil


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    """Keep all requests that are there in one list, in their order: those in front are running, the others wait."""
    count = len(requests)
    first, finish, preemptions = [-1] * count, [-1] * count, [0] * count
    generated, computed = [0] * count, [0] * count
    wasted = 0
    there, running = [], 0  # the first `running` of those that are there
    to_come = [i for i, (_, p, o) in enumerate(requests) if ceil((p + o) / block_size) <= num_blocks]
    step = -1
    while to_come or there:
        step += 1
        while to_come and requests[to_come[0]][0] <= step:
            there.append(to_come.pop(0))
        free = num_blocks - sum(ceil(computed[i] / block_size) for i in there)
        budget = token_budget
        place = 0
        while place < running:
            i = there[place]
            wants = min(requests[i][1] + generated[i] - computed[i], budget)
            more = ceil((computed[i] + wants) / block_size) - ceil(computed[i] / block_size)
            if more <= free:
                free -= more
                budget -= wants
                computed[i] += wants
                place += 1
                continue
            running -= 1
            last = there[running]
            free += ceil(computed[last] / block_size)
            wasted += computed[last]
            computed[last] = 0
            preemptions[last] += 1
        while running < len(there) and budget > 0:
            i = there[running]
            known = requests[i][1] + generated[i]
            if ceil((known + 1) / block_size) > free:
                break
            computed[i] = min(known, budget)
            free -= ceil(computed[i] / block_size)
            budget -= computed[i]
            running += 1
        for i in there[:running]:
            if computed[i] == requests[i][1] + generated[i]:
                generated[i] += 1
                if generated[i] == 1:
                    first[i] = step
                if generated[i] == requests[i][2]:
                    finish[i] = step
                    there.remove(i)
                    running -= 1
    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
