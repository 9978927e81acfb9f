def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    """An event loop: it advances a clock to the next event and starts whatever can be started."""
    n = len(training)
    if mode == "colocated":
        clock = 0.0
        for (work, longest), seconds in zip(generation, training):
            clock += max(work / gpus, longest) + seconds / gpus + switch
        return {"total_times": [clock], "rollout_gpus": gpus, "staleness": n * [0]}

    def run(r):
        gen = [(work / r, max(work / r, longest)) for work, longest in generation]
        train = [seconds / (gpus - r) for seconds in training]
        clock, version, started, step = 0.0, 0, 0, 0
        busy_until, trainer_until = 0.0, 0.0
        complete, lags, is_training = {}, [], False
        while version < n:
            if is_training and clock >= trainer_until:
                version, is_training = version + 1, False
            progress = True
            while progress:
                progress = False
                # The barrier of one-step-off: batch i starts together with step i - 1, which needs batch i - 1.
                allowed = started < n and clock >= busy_until
                if mode == "async":
                    allowed = allowed and version >= started - eta
                else:
                    allowed = allowed and (started == 0 or step == started)
                if allowed:
                    busy, whole = gen[started]
                    busy_until = clock + (busy if mode == "async" else whole)
                    complete[started] = clock + whole
                    lags.append(started - version)
                    started += 1
                    progress = True
                if not is_training and step < n and step == version and complete.get(step, clock + 1) <= clock:
                    end = clock + train[step]
                    if mode == "one_step_off" and step + 1 < n:
                        end = max(end, clock + gen[step + 1][1])
                    trainer_until, is_training = end + sync, True
                    step += 1
                    progress = True
            future = [t for t in (busy_until, trainer_until, *complete.values()) if t > clock]
            if future:
                clock = min(future)
        return clock, lags

    runs = [run(r) for r in range(1, gpus)]
    best = min(range(gpus - 1), key=lambda i: (runs[i][0], i))
    return {"total_times": [t for t, _ in runs], "rollout_gpus": best + 1, "staleness": runs[best][1]}
