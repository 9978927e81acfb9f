from dataclasses import dataclass, field


@dataclass
class Attempt:
    version: int
    reward: float | None = None


@dataclass
class Group:
    prompt: int
    attempts: list = field(default_factory=list)

    @property
    def complete(self):
        return all(a is not None and a.reward is not None for a in self.attempts)

    def oldest(self):
        return min(a.version for a in self.attempts if a is not None)

    def has_no_signal(self):
        rewards = [a.reward for a in self.attempts] if self.complete else []
        return bool(rewards) and min(rewards) == max(rewards)


@dataclass
class GroupBuffer:
    size: int
    wanted: int
    limit: int
    strategy: str
    held: dict = field(default_factory=dict)

    def start(self, group, member, prompt, version):
        entry = self.held.get(group)
        if entry is None:
            entry = self.held[group] = Group(prompt, [None] * self.size)
        entry.attempts[member] = Attempt(version)

    def finish(self, group, member, reward):
        entry = self.held.get(group)
        if entry is not None:
            entry.attempts[member].reward = reward

    def take(self, version):
        too_old = {g for g, e in self.held.items() if version - e.oldest() > self.limit and self.strategy == "drop"}
        flat = {g for g, e in self.held.items() if e.has_no_signal()}
        gone = [g for g in self.held if g in too_old or g in flat]
        for g in gone:
            self.held.pop(g)
        report = {"batch": None, "evicted": gone, "stale": len(too_old), "filtered": len(flat), "refill": len(gone)}
        if self.strategy == "wait":
            for entry in self.held.values():
                if not entry.complete and version - entry.oldest() >= self.limit:
                    return report
        picked, seen = [], set()
        for g, entry in self.held.items():
            if entry.complete and entry.prompt not in seen and len(picked) < self.wanted:
                picked.append(g)
                seen.add(entry.prompt)
        if len(picked) < self.wanted:
            return report
        report["batch"] = []
        for g in picked:
            rewards = [a.reward for a in self.held.pop(g).attempts]
            baseline = sum(rewards) / self.size
            report["batch"].append((g, [r - baseline for r in rewards]))
        return report


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return GroupBuffer(group_size, batch_groups, max_staleness, strategy)
