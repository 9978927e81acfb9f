# expect: right
class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy, max_span):
        self.prompt = list(prompt)
        self.budget = max_new_tokens
        self.eos_id = eos_id
        self.policy = policy
        self.max_span = max_span
        self.tokens, self.logps, self.versions, self.generated = [], [], [], []
        self.ended = max_new_tokens <= 0

    def append(self, tokens, logps, version) -> None:
        for token, logp in zip(tokens, logps):
            if self.ended:
                return
            self.tokens.append(token)
            self.logps.append(logp)
            self.versions.append(version)
            self.generated.append(True)
            self.budget -= 1
            self.ended = token == self.eos_id or self.budget == 0

    def append_tool(self, tokens) -> None:
        if self.ended:
            return
        tokens = list(tokens)
        self.tokens += tokens
        self.logps += [0.0] * len(tokens)
        self.versions += [-1] * len(tokens)
        self.generated += [False] * len(tokens)

    def resume(self) -> tuple[list[int], int]:
        return self.prompt + self.tokens, 0 if self.ended else self.budget

    def finalize(self, version) -> dict:
        own = [v for v, g in zip(self.versions, self.generated) if g]
        if self.policy == "mask_old":
            loss_mask = [g and v == version for v, g in zip(self.versions, self.generated)]
        elif self.policy == "drop" and own and max(own) - min(own) > self.max_span:
            loss_mask = [False] * len(self.tokens)
        else:
            loss_mask = list(self.generated)

        spans = []
        for place, (v, g) in enumerate(zip(self.versions, self.generated)):
            if not g:
                continue
            if spans and spans[-1][0] == v and spans[-1][2] == place:
                spans[-1] = (v, spans[-1][1], place + 1)
            else:
                spans.append((v, place, place + 1))

        staleness = {"head": 0.0, "tail": 0.0, "mean": 0.0}
        if own:
            staleness = {
                "head": float(version - own[0]),
                "tail": float(version - own[-1]),
                "mean": sum(version - v for v in own) / len(own),
            }
        return {
            "tokens": list(self.tokens),
            "logps": list(self.logps),
            "versions": list(self.versions),
            "loss_mask": loss_mask,
            "spans": spans,
            "staleness": staleness,
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
