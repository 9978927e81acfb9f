# expect: right
def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    """Return the seconds that the collective takes."""
    if n == 1:
        return 0.0
    whole = bytes / bw
    part = whole * (n - 1) / n
    if algo == "tree":
        depth = (n - 1).bit_length()
        one_way = whole + depth * alpha
        return {"broadcast": one_way, "reduce": one_way, "all_reduce": 2 * one_way}[op]
    ring_pass = part + (n - 1) * alpha
    chain = whole + (n - 1) * alpha
    return {
        "all_reduce": 2 * ring_pass,
        "reduce_scatter": ring_pass,
        "all_gather": ring_pass,
        "all_to_all": ring_pass,
        "broadcast": chain,
        "reduce": chain,
    }[op]
