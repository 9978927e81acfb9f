# expect: right
import math


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    count = len(requests)
    done = [0] * count  # tokens whose KV is in the pool
    made = [0] * count  # tokens generated
    first, finish, preemptions = [-1] * count, [-1] * count, [0] * count
    wasted = 0
    queue, active = [], []
    open_requests = set(range(count))

    def size(tokens):
        return math.ceil(tokens / block_size)

    def known(i):
        return requests[i][1] + made[i]

    def free():
        return num_blocks - sum(size(done[i]) for i in active)

    step = 0
    while open_requests:
        if not queue and not active:
            step = max(step, min(requests[i][0] for i in open_requests))
        for i, (arrival, prompt, output) in enumerate(requests):
            if arrival == step:
                if size(prompt + output) > num_blocks:
                    open_requests.discard(i)
                else:
                    queue.append(i)

        left = token_budget
        for i in list(active):
            if i not in active or left == 0:
                continue
            take = min(known(i) - done[i], left)
            extra = size(done[i] + take) - size(done[i])
            while i in active and free() < extra:
                victim = active.pop()
                wasted += done[victim]
                preemptions[victim] += 1
                done[victim] = 0
                queue.insert(0, victim)
            if i in active:
                done[i] += take
                left -= take

        while left > 0 and queue:
            i = queue[0]
            if size(known(i) + 1) > free():
                break
            queue.pop(0)
            active.append(i)
            done[i] = min(known(i), left)
            left -= done[i]

        for i in list(active):
            if done[i] < known(i):
                continue
            made[i] += 1
            if made[i] == 1:
                first[i] = step
            if made[i] == requests[i][2]:
                finish[i] = step
                active.remove(i)
                open_requests.discard(i)
        step += 1
    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
