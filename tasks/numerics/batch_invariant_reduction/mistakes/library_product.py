def batch_invariant_reduction(x, w, block):
    return x.float() @ w.float()
