# expect: right
def heads_of_rank(n_kv, tp, rank):
    """Return the key-value heads that a rank keeps; ranks share heads if there are more ranks than heads."""
    if n_kv >= tp:
        share = n_kv // tp
        return list(range(rank * share, (rank + 1) * share))
    replicas = tp // n_kv
    return [rank // replicas]


def vectors_of_layer(n_kv, d_h, tp, mla):
    """Return the sizes of all vectors that rank 0 caches for one token in one layer."""
    if mla is not None:
        return list(mla)
    sizes = []
    for _ in heads_of_rank(n_kv, tp, rank=0):
        sizes.append(d_h)  # key
        sizes.append(d_h)  # value
    return sizes


def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    """Return the bytes of KV cache that one rank holds for that many tokens."""
    per_token = L * sum(vectors_of_layer(n_kv, d_h, tp, mla))
    return per_token * bytes * tokens
