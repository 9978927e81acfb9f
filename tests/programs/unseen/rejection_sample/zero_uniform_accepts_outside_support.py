# expect: wrong
# mistake: The test is log u <= log ratio, so a proposal outside the support is accepted if its uniform number is exactly 0, because -inf <= -inf.
import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    bound = log_q + log_m
    accept = torch.log(uniforms) <= log_p - bound
    counts = torch.cumsum(accept.to(torch.int64), dim=0)
    done = (counts >= n).nonzero()
    used = int(done[0]) + 1 if done.numel() > 0 else accept.shape[0]
    accepted = accept[:used].nonzero().squeeze(1)
    violations = int(torch.count_nonzero(log_p[:used] > bound[:used]))
    return accepted, used, violations
