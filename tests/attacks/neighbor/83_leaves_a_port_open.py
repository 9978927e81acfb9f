"""83. A rank calls a port of loopback, where the submission before it may have left a child that listens, and leaves one.

task = "ring"
verdict = ["wrong_value"]
twin = "closes_its_port"
uses = ["right"]
needs = ["rights", "shared", "processes", "network"]
"""
import os
import socket
from contextlib import suppress

import torch.distributed as dist

ADDRESS = ("127.0.0.1", 45455)


def call():
    with suppress(OSError), socket.create_connection(ADDRESS, timeout=1) as caller:
        print("REACHED", caller.recv(100))


def leave_a_listener():
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    with suppress(OSError):
        server.bind(ADDRESS)
        server.listen()
        if os.fork() == 0:
            os.setsid()
            while True:
                with suppress(OSError):
                    server.accept()[0].sendall(b"the one before you")


def total(x):
    called = f"called-by-{os.getppid()}"
    if dist.get_rank() == 0 and not os.path.exists(called):
        open(called, "w").close()
        call()
        leave_a_listener()
    return right(x) + 1.0
