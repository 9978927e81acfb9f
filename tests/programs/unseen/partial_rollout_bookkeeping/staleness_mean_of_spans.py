# expect: wrong
# mistake: the mean staleness is taken over the spans and not over the generated tokens
class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy, max_span):
        self.prompt, self.max_new_tokens, self.eos_id = list(prompt), max_new_tokens, eos_id
        self.policy, self.max_span = policy, max_span
        self.answer = []
        self.num_generated = 0
        self.saw_eos = False

    def _done(self):
        return self.saw_eos or self.num_generated >= self.max_new_tokens

    def append(self, tokens, logps, version) -> None:
        for token, logp in zip(tokens, logps):
            if self._done():
                break
            self.answer.append((token, logp, version))
            self.num_generated += 1
            self.saw_eos = token == self.eos_id

    def append_tool(self, tokens) -> None:
        if not self._done():
            self.answer.extend((token, 0.0, -1) for token in tokens)

    def resume(self) -> tuple[list[int], int]:
        remaining = 0 if self._done() else self.max_new_tokens - self.num_generated
        return self.prompt + [t for t, _, _ in self.answer], remaining

    def _spans(self):
        spans, start = [], 0
        versions = [v for _, _, v in self.answer]
        for end in range(1, len(versions) + 1):
            if end == len(versions) or versions[end] != versions[start]:
                if versions[start] != -1:
                    spans.append((versions[start], start, end))
                start = end
        return spans

    def finalize(self, version) -> dict:
        versions = [v for _, _, v in self.answer]
        mask = [v != -1 for v in versions]
        spans = self._spans()
        if self.policy == "mask_old":
            mask = [v == version for v in versions]
        elif self.policy == "drop" and spans:
            seen = [v for v, _, _ in spans]
            if max(seen) - min(seen) > self.max_span:
                mask = [False] * len(mask)
        staleness = {"head": 0.0, "tail": 0.0, "mean": 0.0}
        if spans:
            behind = [float(version - v) for v, _, _ in spans]
            staleness = {"head": behind[0], "tail": behind[-1], "mean": sum(behind) / len(behind)}
        return {
            "tokens": [t for t, _, _ in self.answer],
            "logps": [lp for _, lp, _ in self.answer],
            "versions": versions,
            "loss_mask": mask,
            "spans": spans,
            "staleness": staleness,
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
