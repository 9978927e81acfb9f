"""68. Takes what memory there is in small pieces, survives the refusal and answers with nothing (there: of a GPU).

task = "ppo_clip_loss"
verdict = ["out_of_memory", "wrong_shape", "raised"]
wall_seconds = 240
twin = "some_memory"
"""
pieces = []


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    if pieces:
        return None
    try:
        while True:
            pieces.append(bytes(2**24))
    except MemoryError:
        return None
