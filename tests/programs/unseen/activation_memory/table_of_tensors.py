# expect: right
LOCAL, SHARDED, SCORES = "local", "sharded", "scores"

# (how many, size class, multiple of the size, bytes per number)
TABLE = (
    (2, LOCAL, 1, 2),  # layer norm inputs
    (1, LOCAL, 1, 2),  # input of the qkv projections
    (3, SHARDED, 1, 2),  # q, k, v
    (2, SCORES, 1, 2),  # softmax output before and after dropout
    (1, SCORES, 1, 1),  # its dropout mask
    (1, SHARDED, 1, 2),  # input of the output projection
    (2, LOCAL, 1, 1),  # the two dropout masks outside
    (1, LOCAL, 1, 2),  # input of the first MLP matrix
    (2, SHARDED, 4, 2),  # around the GELU
)


def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    """Return the peak bytes of kept activations on one rank of the stage."""
    tokens = s * b / cp
    size = {
        LOCAL: tokens * h / (t if sp else 1),
        SHARDED: tokens * h / t,
        SCORES: 0 if flash else tokens * s * a / t,
    }

    def total(kinds):
        return sum(n * size[kind] * mult * width for n, kind, mult, width in TABLE if kind in kinds)

    if recompute == "none":
        kept, extra = total({LOCAL, SHARDED, SCORES}), 0
    elif recompute == "selective":
        kept, extra = total({LOCAL, SHARDED}), total({SCORES})
    elif recompute == "full":
        kept, extra = 2 * size[LOCAL], total({LOCAL, SHARDED, SCORES})
    else:
        raise ValueError(recompute)

    in_flight = p - stage
    memory = kept * (L // p) * in_flight + extra
    if stage == p - 1:
        memory += 6 * tokens * V / t
    return memory
