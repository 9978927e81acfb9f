# expect: wrong
# mistake: tool output counts against max_new_tokens
# mistake: the places of the spans count the prompt as well
class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy, max_span):
        self.n_prompt = len(prompt)
        self.all_tokens = list(prompt)
        self.logps, self.versions = [], []
        self.max_new_tokens = max_new_tokens
        self.eos_id = eos_id
        self.policy, self.max_span = policy, max_span
        self.stopped = False

    def _remaining(self):
        if self.stopped:
            return 0
        return max(0, self.max_new_tokens - (len(self.all_tokens) - self.n_prompt))

    def append(self, tokens, logps, version) -> None:
        for token, logp in zip(tokens, logps):
            if self._remaining() == 0:
                return
            self.all_tokens.append(token)
            self.logps.append(logp)
            self.versions.append(version)
            if token == self.eos_id:
                self.stopped = True

    def append_tool(self, tokens) -> None:
        if self._remaining() == 0:
            return
        for token in tokens:
            self.all_tokens.append(token)
            self.logps.append(0.0)
            self.versions.append(-1)

    def resume(self) -> tuple[list[int], int]:
        return list(self.all_tokens), self._remaining()

    def finalize(self, version) -> dict:
        own = [v for v in self.versions if v != -1]
        mask = [v != -1 for v in self.versions]
        if self.policy == "mask_old":
            mask = [v == version for v in self.versions]
        elif self.policy == "drop" and own and own[-1] - own[0] > self.max_span:
            mask = [False] * len(mask)
        spans = []
        for i, v in enumerate(self.versions, start=self.n_prompt):
            if v == -1:
                continue
            if spans and spans[-1][0] == v and spans[-1][2] == i:
                spans[-1] = (v, spans[-1][1], i + 1)
            else:
                spans.append((v, i, i + 1))
        staleness = dict(head=0.0, tail=0.0, mean=0.0)
        if own:
            lag = [version - v for v in own]
            staleness = dict(head=float(lag[0]), tail=float(lag[-1]), mean=sum(lag) / len(lag))
        return {
            "tokens": self.all_tokens[self.n_prompt :],
            "logps": list(self.logps),
            "versions": list(self.versions),
            "loss_mask": mask,
            "spans": spans,
            "staleness": staleness,
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
