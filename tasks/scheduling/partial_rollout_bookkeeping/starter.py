class Rollout:
    def append(self, tokens, logps, version) -> None:
        raise NotImplementedError

    def append_tool(self, tokens) -> None:
        raise NotImplementedError

    def resume(self) -> tuple[list[int], int]:
        raise NotImplementedError

    def finalize(self, version) -> dict:
        """Return tokens, logps, versions, loss_mask, spans and staleness."""
        raise NotImplementedError


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout()
