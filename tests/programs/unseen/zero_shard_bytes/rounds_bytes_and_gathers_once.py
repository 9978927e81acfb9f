# expect: wrong
# mistake: Shards are rounded up to whole bytes instead of whole elements, and stage 3 counts only one all-gather of the weights instead of one each for the forward and the backward pass.
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    totals = {"params": psi * p_bytes, "grads": psi * g_bytes, "opt": psi * opt_bytes}
    order = ["opt", "grads", "params"]
    for part in order[:stage]:
        totals[part] = (totals[part] + N - 1) // N
    totals["comm_elements"] = 2 * psi * (N - 1) / N
    return totals
