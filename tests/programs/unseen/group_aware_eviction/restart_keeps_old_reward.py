# expect: wrong
# mistake: When a finished member is started again, its version is updated but the reward of the earlier attempt still counts, so the group stays complete.
class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.group_size = group_size
        self.batch_groups = batch_groups
        self.max_staleness = max_staleness
        self.strategy = strategy
        self.buffer = {}

    def start(self, group, member, prompt, version) -> None:
        entry = self.buffer.setdefault(group, {"prompt": prompt, "versions": {}, "rewards": {}})
        entry["versions"][member] = version

    def finish(self, group, member, reward) -> None:
        if group not in self.buffer:
            return
        self.buffer[group]["rewards"][member] = reward

    def is_complete(self, entry):
        return len(entry["rewards"]) == self.group_size

    def is_stale(self, entry, version):
        return any(version - v > self.max_staleness for v in entry["versions"].values())

    def is_filtered(self, entry):
        return self.is_complete(entry) and len(set(entry["rewards"].values())) == 1

    def take(self, version) -> dict:
        evicted = []
        n_stale = n_filtered = 0
        for group in list(self.buffer):
            entry = self.buffer[group]
            stale = self.strategy == "drop" and self.is_stale(entry, version)
            filtered = self.is_filtered(entry)
            n_stale += stale
            n_filtered += filtered
            if stale or filtered:
                evicted.append(group)
                del self.buffer[group]

        result = {"batch": None, "evicted": evicted, "stale": n_stale, "filtered": n_filtered, "refill": len(evicted)}

        if self.strategy == "wait":
            for entry in self.buffer.values():
                if self.is_complete(entry):
                    continue
                if any(version - v >= self.max_staleness for v in entry["versions"].values()):
                    return result

        batch, prompts = [], set()
        for group, entry in self.buffer.items():
            if len(batch) == self.batch_groups:
                break
            if not self.is_complete(entry) or entry["prompt"] in prompts:
                continue
            prompts.add(entry["prompt"])
            rewards = [entry["rewards"][m] for m in range(self.group_size)]
            mean = sum(rewards) / self.group_size
            batch.append((group, [r - mean for r in rewards]))
        if len(batch) == self.batch_groups:
            for group, _ in batch:
                del self.buffer[group]
            result["batch"] = batch
        return result


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer(group_size, batch_groups, max_staleness, strategy)
