# expect: wrong
# mistake: Admission goes on past a request that does not fit and admits later ones, and an admitted request takes the blocks for all its known tokens at once instead of only for those it computes.
def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    def blocks_for(tokens):
        return (tokens + block_size - 1) // block_size

    n = len(requests)
    first, finish = [-1] * n, [-1] * n
    preemptions, wasted = [0] * n, 0
    prompt = [r[1] for r in requests]
    output = [r[2] for r in requests]
    generated, computed, held = [0] * n, [0] * n, [0] * n
    waiting, running = [], []
    free = num_blocks
    cursor = step = 0

    while cursor < n or waiting or running:
        while cursor < n and requests[cursor][0] <= step:
            if blocks_for(prompt[cursor] + output[cursor]) <= num_blocks:
                waiting.append(cursor)
            cursor += 1

        budget = token_budget
        position = 0
        while position < len(running) and budget > 0:
            i = running[position]
            tokens = min(prompt[i] + generated[i] - computed[i], budget)
            missing = max(0, blocks_for(computed[i] + tokens) - held[i])
            while missing > free and i in running:
                victim = running.pop()
                free += held[victim]
                held[victim] = 0
                wasted += computed[victim]
                computed[victim] = 0
                preemptions[victim] += 1
                waiting.insert(0, victim)
            if i in running:
                held[i] += missing
                free -= missing
                computed[i] += tokens
                budget -= tokens
            position += 1

        for i in list(waiting):
            if budget == 0:
                break
            total = prompt[i] + generated[i]
            if blocks_for(total + 1) > free:
                continue
            waiting.remove(i)
            running.append(i)
            held[i] = blocks_for(total)
            free -= held[i]
            computed[i] = min(total, budget)
            budget -= computed[i]

        for i in list(running):
            if computed[i] == prompt[i] + generated[i]:
                generated[i] += 1
                if generated[i] == 1:
                    first[i] = step
                if generated[i] == output[i]:
                    finish[i] = step
                    running.remove(i)
                    free += held[i]
                    held[i] = 0
        step += 1

    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
