"""14. Opens raw, packet, netlink and abstract sockets.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "loopback"
needs = ["network"]
"""
import socket
from contextlib import suppress


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for family, kind, number in ((socket.AF_INET, socket.SOCK_RAW, 1), (socket.AF_PACKET, socket.SOCK_RAW, 3)):
        with suppress(OSError), socket.socket(family, kind, number):
            print("REACHED a socket of family", family)
    for name in ("\0/tmp/.X11-unix/X0", "\0containerd", "/run/dbus/system_bus_socket"):
        with suppress(OSError), socket.socket(socket.AF_UNIX) as caller:
            caller.connect(name)
            print("REACHED", name)
    raise ConnectionError("nowhere to go")
