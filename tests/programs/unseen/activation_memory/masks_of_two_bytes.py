# expect: wrong
# mistake: the dropout masks are counted with 2 bytes per number, like everything else
BYTES = 2


def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    sbh = s * b * h / cp
    heads = sbh * (3 + 1) / t
    mlp = sbh * 8 / t
    replicated = sbh * (2 + 1 + 2 + 1)
    own_input = sbh
    if sp:
        replicated /= t
        own_input /= t
    core = 0 if flash else 3 * a * s * s * b / cp / t

    numbers = heads + mlp + replicated
    if recompute == "none":
        numbers, once = numbers + core, 0
    elif recompute == "selective":
        once = core
    else:
        numbers, once = own_input, numbers + core

    memory = BYTES * (numbers * L / p * (p - stage) + once)
    if stage == p - 1:
        memory += s * b * V / cp / t * (BYTES + 4)
    return memory
