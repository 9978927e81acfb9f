class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy, max_span):
        self.prompt = list(prompt)
        self.max_new_tokens = max_new_tokens
        self.eos_id = eos_id
        self.policy = policy
        self.max_span = max_span
        self.tokens = []
        self.logps = []
        self.versions = []
        self.generated = 0
        self.is_over = False

    def append(self, tokens, logps, version):
        for i in range(len(tokens)):
            if self.is_over:
                return
            self.tokens.append(tokens[i])
            self.logps.append(logps[i])
            self.versions.append(version)
            self.generated += 1
            if tokens[i] == self.eos_id or self.generated == self.max_new_tokens:
                self.is_over = True

    def append_tool(self, tokens):
        if self.is_over:
            return
        for token in tokens:
            self.tokens.append(token)
            self.logps.append(0.0)
            self.versions.append(-1)

    def resume(self):
        remaining = 0
        if not self.is_over:
            remaining = self.max_new_tokens - self.generated
        return self.prompt + self.tokens, remaining

    def finalize(self, version):
        n = len(self.tokens)
        own = []
        for v in self.versions:
            if v != -1:
                own.append(v)
        dropped = False
        if self.policy == "drop" and own:
            dropped = max(own) - min(own) > self.max_span
        mask = []
        for v in self.versions:
            keep = v != -1 and not dropped
            if self.policy == "mask_old" and v != version:
                keep = False
            mask.append(keep)
        spans = []
        i = 0
        while i < n:
            j = i
            while j < n and self.versions[j] == self.versions[i]:
                j += 1
            if self.versions[i] != -1:
                spans.append((self.versions[i], i, j))
            i = j
        head = tail = mean = 0.0
        if own:
            head = float(version - own[0])
            tail = float(version - own[-1])
            mean = 0.0
            for v in own:
                mean += version - v
            mean = mean / len(own)
        return {
            "tokens": self.prompt + self.tokens,
            "logps": self.logps,
            "versions": self.versions,
            "loss_mask": mask,
            "spans": spans,
            "staleness": {"head": head, "tail": tail, "mean": mean},
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
