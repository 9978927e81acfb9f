# expect: wrong
# mistake: "drop" compares the oldest version in the answer with the version given to finalize and not with the largest in the answer
class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
        self.prompt = list(prompt)
        self.left = max_new_tokens
        self.eos_id = eos_id
        self.policy = policy
        self.max_span = max_span
        self.tokens = []
        self.logps = []
        self.versions = []

    def append(self, tokens, logps, version) -> None:
        for tok, lp in zip(tokens, logps):
            if self.left <= 0:
                return
            self.tokens.append(tok)
            self.logps.append(lp)
            self.versions.append(version)
            self.left = 0 if tok == self.eos_id else self.left - 1

    def append_tool(self, tokens) -> None:
        if self.left <= 0:
            return
        for tok in tokens:
            self.tokens.append(tok)
            self.logps.append(0.0)
            self.versions.append(-1)

    def resume(self) -> tuple[list[int], int]:
        return self.prompt + self.tokens, max(self.left, 0)

    def finalize(self, version) -> dict:
        generated = [v for v in self.versions if v >= 0]
        if self.policy == "mask_old":
            allowed = lambda v: v == version
        elif self.policy == "drop":
            too_old = bool(generated) and version - min(generated) > self.max_span
            allowed = lambda v: not too_old
        else:
            allowed = lambda v: True
        spans = []
        previous = -1
        for i, v in enumerate(self.versions):
            if v >= 0:
                if v == previous:
                    spans[-1][2] = i + 1
                else:
                    spans.append([v, i, i + 1])
            previous = v
        lag = [version - v for v in generated]
        return {
            "tokens": self.tokens[:],
            "logps": self.logps[:],
            "versions": self.versions[:],
            "loss_mask": [v >= 0 and allowed(v) for v in self.versions],
            "spans": [tuple(s) for s in spans],
            "staleness": {
                "head": float(lag[0]) if lag else 0.0,
                "tail": float(lag[-1]) if lag else 0.0,
                "mean": sum(lag) / len(lag) if lag else 0.0,
            },
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
