import torch

NOT_YET, WAITING, RUNNING, OVER = range(4)


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    """Keep the state in one vector for each property; running sums say who gets budget and blocks."""
    arrival, prompt, output = torch.tensor(requests, dtype=torch.long).reshape(-1, 3).unbind(1)
    generated, computed = torch.zeros_like(prompt), torch.zeros_like(prompt)
    first, finish = torch.full_like(prompt, -1), torch.full_like(prompt, -1)
    preemptions = torch.zeros_like(prompt)
    wasted = 0

    def blocks(tokens):
        return (tokens + block_size - 1) // block_size

    state = torch.where(blocks(prompt + output) > num_blocks, OVER, NOT_YET)
    step = 0
    while (state != OVER).any():
        state[(state == NOT_YET) & (arrival <= step)] = WAITING
        # Running requests stand in the order of arrival, since a preempted one goes to the front of the queue.
        while True:
            left = torch.where(state == RUNNING, prompt + generated - computed, 0)
            before = left.cumsum(0) - left
            share = torch.minimum(left, (token_budget - before).clamp(min=0))
            held, then = blocks(computed), blocks(computed + share)
            # What an earlier one takes leaves less for later ones, whose own old blocks are still held.
            taken = (then - held).cumsum(0)
            is_short = (state == RUNNING) & (held.sum() + taken > num_blocks)
            if not is_short.any():
                break
            last = (state == RUNNING).nonzero().max()
            state[last] = WAITING
            wasted += int(computed[last])
            computed[last] = 0
            preemptions[last] += 1
        computed += share
        budget = token_budget - int(share.sum())
        free = num_blocks - int(blocks(computed).sum())
        for i in (state == WAITING).nonzero().flatten().tolist():
            known = int(prompt[i] + generated[i])
            if budget == 0 or (known + 1 + block_size - 1) // block_size > free:
                break
            state[i] = RUNNING
            computed[i] = min(known, budget)
            budget -= min(known, budget)
            free -= int(blocks(computed[i]))
        generates = (state == RUNNING) & (computed == prompt + generated)
        generated += generates
        first[generates & (generated == 1)] = step
        is_over = generates & (generated == output)
        finish[is_over] = step
        state[is_over] = OVER
        computed[is_over] = 0
        step += 1
    return {
        "first": first.tolist(),
        "finish": finish.tolist(),
        "preemptions": preemptions.tolist(),
        "wasted": wasted,
    }
