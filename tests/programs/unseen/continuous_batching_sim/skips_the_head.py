# expect: wrong
# mistake: if the first waiting request cannot be admitted, the ones behind it are tried instead of ending the step
def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    def pages(tokens):
        return -(-tokens // block_size)

    reqs = [
        {"id": k, "arrival": a, "prompt": p, "output": o, "kv": 0, "gen": 0} for k, (a, p, o) in enumerate(requests)
    ]
    first = [-1 for _ in reqs]
    finish = [-1 for _ in reqs]
    preemptions = [0 for _ in reqs]
    wasted = 0
    waiting, running = [], []
    used = 0
    step = 0
    last_arrival = max((r["arrival"] for r in reqs), default=-1)
    while step <= last_arrival or waiting or running:
        waiting += [
            r for r in reqs if r["arrival"] == step and pages(r["prompt"] + r["output"]) <= num_blocks
        ]
        budget = token_budget

        index = 0
        while index < len(running) and budget > 0:
            r = running[index]
            take = min(budget, r["prompt"] + r["gen"] - r["kv"])
            more = pages(r["kv"] + take) - pages(r["kv"])
            while num_blocks - used < more:
                victim = running.pop()
                used -= pages(victim["kv"])
                wasted += victim["kv"]
                victim["kv"] = 0
                preemptions[victim["id"]] += 1
                waiting.insert(0, victim)
                if victim is r:
                    break
            else:
                used += more
                r["kv"] += take
                budget -= take
            index += 1

        for r in list(waiting):
            if budget == 0:
                break
            known = r["prompt"] + r["gen"]
            if num_blocks - used < pages(known + 1):
                continue
            waiting.remove(r)
            running.append(r)
            r["kv"] = min(budget, known)
            used += pages(r["kv"])
            budget -= r["kv"]

        for r in list(running):
            if r["kv"] != r["prompt"] + r["gen"]:
                continue
            r["gen"] += 1
            if r["gen"] == 1:
                first[r["id"]] = step
            if r["gen"] == r["output"]:
                finish[r["id"]] = step
                used -= pages(r["kv"])
                running.remove(r)
        step += 1
    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
