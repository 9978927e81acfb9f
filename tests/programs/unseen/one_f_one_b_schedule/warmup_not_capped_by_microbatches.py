# expect: wrong
# mistake: Does not limit the warm-up by the number of microbatches, so with fewer microbatches than stages it runs forward passes of microbatches that do not exist.
def one_f_one_b_schedule(stages, microbatches):
    programs = []
    for stage in range(stages):
        warmup = stages - stage
        order = [("forward", k) for k in range(warmup)]
        for k in range(warmup, microbatches):
            order += [("backward", k - warmup), ("forward", k)]
        done = max(microbatches - warmup, 0)
        order += [("backward", k) for k in range(done, microbatches)]
        before = {"forward": "recv_activation" if stage else None,
                  "backward": "recv_gradient" if stage < stages - 1 else None}
        after = {"forward": "send_activation" if stage < stages - 1 else None,
                 "backward": "send_gradient" if stage else None}
        steps = []
        group = []
        for name, k in order:
            if before[name]:
                group.append((before[name], k))
            if group:
                steps.append(group)
            steps.append([(name, k)])
            group = [(after[name], k)] if after[name] else []
        if group:
            steps.append(group)
        programs.append(steps)
    return programs
