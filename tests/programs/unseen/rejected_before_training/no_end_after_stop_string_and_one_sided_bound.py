# expect: wrong
# mistake: No end token is appended if the engine met a stop string, and an episode is kept whenever its log-ratio is at most log_bound, however negative it is.
import torch

EOS = 0


def build_batch(policy, episodes, log_bound):
    table = torch.log_softmax(policy, dim=-1)
    out_tokens, out_logprobs, out_mask, out_rewards, kept = [], [], [], [], []

    for ep in episodes:
        row, lps, sampled = [], [], []
        n_turns = len(ep["turns"])
        for k, turn in enumerate(ep["turns"]):
            pairs = list(zip(turn["tokens"], turn["logprobs"]))
            if k != n_turns - 1 and pairs[-1][0] == EOS:
                pairs = pairs[:-1]
            for tok, lp in pairs:
                row.append(tok)
                lps.append(lp)
                sampled.append(True)
            for tok in turn["observation"]:
                row.append(tok)
                lps.append(0.0)
                sampled.append(False)

        context = [ep["prompt"][-1]] + row[:-1]
        row_t = torch.tensor(row, dtype=torch.int64)
        lps_t = torch.tensor(lps, dtype=policy.dtype)
        mask_t = torch.tensor(sampled, dtype=torch.bool)
        trainer = table[torch.tensor(context), row_t]
        log_ratio = ((trainer - lps_t) * mask_t).sum()

        reward_t = torch.zeros(len(row), dtype=policy.dtype)
        reward_t[int(mask_t.nonzero()[-1])] = ep["reward"]

        out_tokens.append(row_t)
        out_logprobs.append(lps_t)
        out_mask.append(mask_t)
        out_rewards.append(reward_t)
        kept.append(bool(log_ratio <= log_bound))

    return (
        torch.cat(out_tokens),
        torch.cat(out_logprobs),
        torch.cat(out_mask),
        torch.cat(out_rewards),
        torch.tensor(kept),
    )
