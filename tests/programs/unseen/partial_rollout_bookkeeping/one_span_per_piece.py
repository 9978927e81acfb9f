# expect: wrong
# mistake: every piece of the engine makes a span of its own, even if the piece before it has the same version
class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy, max_span):
        self.prompt = list(prompt)
        self.max_new_tokens = max_new_tokens
        self.eos_id = eos_id
        self.policy = policy
        self.max_span = max_span
        self.tokens, self.logps, self.versions, self.spans = [], [], [], []
        self.used = 0
        self.over = max_new_tokens == 0

    def append(self, tokens, logps, version) -> None:
        if self.over:
            return
        kept = list(tokens)[: self.max_new_tokens - self.used]
        if self.eos_id in kept:
            kept = kept[: kept.index(self.eos_id) + 1]
            self.over = True
        if not kept:
            return
        start = len(self.tokens)
        self.tokens.extend(kept)
        self.logps.extend(logps[: len(kept)])
        self.versions.extend([version] * len(kept))
        self.spans.append((version, start, len(self.tokens)))
        self.used += len(kept)
        if self.used == self.max_new_tokens:
            self.over = True

    def append_tool(self, tokens) -> None:
        if self.over:
            return
        self.tokens.extend(tokens)
        self.logps.extend([0.0] * len(tokens))
        self.versions.extend([-1] * len(tokens))

    def resume(self) -> tuple[list[int], int]:
        return self.prompt + self.tokens, 0 if self.over else self.max_new_tokens - self.used

    def finalize(self, version) -> dict:
        generated = [v for v in self.versions if v != -1]
        mask = [v != -1 for v in self.versions]
        if self.policy == "mask_old":
            mask = [m and v == version for m, v in zip(mask, self.versions)]
        if self.policy == "drop" and generated and max(generated) - min(generated) > self.max_span:
            mask = [False] * len(mask)
        count = len(generated)
        return {
            "tokens": list(self.tokens),
            "logps": list(self.logps),
            "versions": list(self.versions),
            "loss_mask": mask,
            "spans": list(self.spans),
            "staleness": {
                "head": float(version - generated[0]) if count else 0.0,
                "tail": float(version - generated[-1]) if count else 0.0,
                "mean": version - sum(generated) / count if count else 0.0,
            },
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
