import torch


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):  # noqa: PLR0912 -- one long loop on purpose
    """An event simulation: the next finish is processed, its slot takes the next sample of the list."""
    position = 0
    leftover = []
    step_times = []
    tokens = 0.0
    thrown = 0.0
    trained = []
    if mode == "sync":
        started = batch
    while len(leftover) + len(lengths) - position >= started:
        todo = list(leftover)
        while len(todo) < started:
            todo.append({"length": lengths[position], "have": 0.0})
            position += 1
        line = list(todo)
        busy = []
        now = 0.0
        finished = []
        while len(finished) < batch:
            while len(busy) < slots and line:
                sample = line.pop(0)
                wait = resume_time if sample["have"] > 0 else 0
                sample["from"] = now + wait
                sample["until"] = now + wait + sample["length"] - sample["have"]
                busy.append(sample)
            nearest = busy[0]
            for sample in busy:
                if sample["until"] < nearest["until"]:
                    nearest = sample
            busy.remove(nearest)
            now = nearest["until"]
            tokens += nearest["length"] - nearest["have"]
            finished.append(nearest)
            trained.append(nearest["length"])
        leftover = []
        for sample in todo:
            if sample in finished:
                continue
            made = 0.0
            if sample in busy and now > sample["from"]:
                made = now - sample["from"]
            tokens += made
            if mode == "partial":
                leftover.append({"length": sample["length"], "have": sample["have"] + made})
            else:
                thrown += made
        step_times.append(now + train_time)
    clock = 0.0
    for t in step_times:
        clock += t
    mean = 0.0
    for length in trained:
        mean += length / len(trained)
    return {
        "step_times": torch.tensor(step_times, dtype=torch.float64),
        "utilisation": tokens / (clock * slots),
        "wasted_tokens": thrown,
        "mean_trained_length": mean,
    }
