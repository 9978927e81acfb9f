# expect: wrong
# mistake: a preempted request goes to the end of the waiting queue instead of its front
class Job:
    def __init__(self, index, arrival, prompt, output):
        self.index, self.arrival, self.prompt, self.output = index, arrival, prompt, output
        self.cached = 0
        self.tokens = prompt


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    jobs = [Job(i, *r) for i, r in enumerate(requests)]
    result = {
        "first": [-1] * len(jobs),
        "finish": [-1] * len(jobs),
        "preemptions": [0] * len(jobs),
        "wasted": 0,
    }

    def blocks_for(tokens):
        return -(-tokens // block_size)

    waiting, running = [], []
    pending = list(jobs)
    now = 0

    def available():
        return num_blocks - sum(blocks_for(job.cached) for job in running)

    while pending or waiting or running:
        while pending and pending[0].arrival == now:
            job = pending.pop(0)
            if blocks_for(job.prompt + job.output) <= num_blocks:
                waiting.append(job)

        budget = token_budget
        for job in running[:]:
            if budget == 0:
                break
            if job not in running:
                continue
            chunk = min(job.tokens - job.cached, budget)
            while job in running and blocks_for(job.cached + chunk) - blocks_for(job.cached) > available():
                victim = running.pop()
                result["preemptions"][victim.index] += 1
                result["wasted"] += victim.cached
                victim.cached = 0
                waiting.append(victim)
            if job in running:
                job.cached += chunk
                budget -= chunk

        while waiting and budget > 0:
            job = waiting[0]
            if blocks_for(job.tokens + 1) > available():
                break
            waiting.pop(0)
            running.append(job)
            job.cached = min(job.tokens, budget)
            budget -= job.cached

        for job in running[:]:
            if job.cached == job.tokens:
                job.tokens += 1
                if job.tokens == job.prompt + 1:
                    result["first"][job.index] = now
                if job.tokens == job.prompt + job.output:
                    result["finish"][job.index] = now
                    running.remove(job)
        now += 1
    return result
