def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    """Keeps the log of all calls and rebuilds the buffer from it at every take."""
    log, closed, evicted_before = [], set(), set()

    def replay():
        groups = {}
        for kind, group, member, *rest in log:
            if group in closed:
                continue
            if kind == "start":
                prompt, version = rest
                groups.setdefault(group, {"prompt": prompt, "version": {}, "reward": {}})
                groups[group]["version"][member] = version
                groups[group]["reward"].pop(member, None)
            else:
                groups[group]["reward"][member] = rest[0]
        return groups

    class Buffer:
        def start(self, group, member, prompt, version):
            log.append(("start", group, member, prompt, version))

        def finish(self, group, member, reward):
            if group not in evicted_before:
                log.append(("finish", group, member, reward))

        def take(self, version):
            groups = replay()
            done = [g for g in groups if len(groups[g]["reward"]) == group_size]
            reasons = {g: [] for g in groups}
            for g, content in groups.items():
                if strategy == "drop" and any(version - v > max_staleness for v in content["version"].values()):
                    reasons[g].append("stale")
                if g in done and len(set(content["reward"].values())) == 1:
                    reasons[g].append("filtered")
            leaving = [g for g in groups if reasons[g]]
            closed.update(leaving)
            evicted_before.update(leaving)
            every = [reason for found in reasons.values() for reason in found]
            batch, prompts = [], []
            for g in done:
                if not reasons[g] and groups[g]["prompt"] not in prompts:
                    rewards = [groups[g]["reward"][m] for m in range(group_size)]
                    batch.append((g, [r - sum(rewards) / group_size for r in rewards]))
                    prompts.append(groups[g]["prompt"])
            batch = batch[:batch_groups] if len(batch) >= batch_groups else None
            if strategy == "wait":
                open_groups = [content for g, content in groups.items() if g not in done]
                if any(version - v >= max_staleness for content in open_groups for v in content["version"].values()):
                    batch = None
            if batch is not None:
                closed.update(g for g, _ in batch)
            return {
                "batch": batch,
                "evicted": leaving,
                "stale": every.count("stale"),
                "filtered": every.count("filtered"),
                "refill": len(leaving),
            }

    return Buffer()
