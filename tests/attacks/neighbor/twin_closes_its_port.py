"""Listens on loopback, calls itself and closes both ends.

task = "ring"
uses = ["right"]
needs = ["rights", "shared", "processes", "network"]
"""
import socket


def total(x):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        with socket.create_connection(server.getsockname(), timeout=1) as caller:
            answerer, _ = server.accept()
            with answerer:
                caller.sendall(b"a note")
                answerer.recv(100)
    return right(x)
