"""19. Fills its folder with links to other places, a pipe and a socket, for whoever cleans up or collects.

task = "ppo_clip_loss"
verdict = ["wrong_shape"]
twin = "looks_at_its_folder"
"""
import os
import socket
from contextlib import suppress


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    here = os.getcwd()
    os.chdir(os.environ["TMPDIR"])
    for number, place in enumerate(("..", "/", "/etc", "/etc/passwd", "../precious", "../precious/file", "/nowhere")):
        with suppress(OSError):
            os.symlink(place, f"attacked-{number}")
        with suppress(OSError):
            os.link(place, f"attacked-hard-{number}")
    with suppress(OSError):
        os.mkfifo("attacked-pipe")
    with suppress(OSError):
        socket.socket(socket.AF_UNIX).bind("attacked-socket")
    with suppress(OSError):
        os.makedirs("attacked-" + "/deep" * 400)
        os.chmod("attacked-", 0)
    os.chdir(here)
    return None
