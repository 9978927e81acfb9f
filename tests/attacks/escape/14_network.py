"""14. Calls the cloud's metadata address, the host's bridge, a name server and a broadcast.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "loopback"
needs = ["network"]
"""
import socket
from contextlib import suppress

PLACES = [("169.254.169.254", 80), ("172.17.0.1", 22), ("8.8.8.8", 53), ("1.1.1.1", 443), ("fd00:ec2::254", 80)]


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for host, port in PLACES:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            with suppress(OSError), socket.socket(family, kind) as caller:
                caller.settimeout(0.3)
                caller.connect((host, port))
                caller.send(b"key")
                print("REACHED", host, port, kind)
    with suppress(OSError):
        print("REACHED", socket.getaddrinfo("example.com", 443))
    with suppress(OSError):
        names = [name for _, name in socket.if_nameindex() if name != "lo"]
        print("interfaces", names)
    raise ConnectionError("nowhere to go")
