"""Talks with itself over loopback, as gloo does, and says what it heard.

task = "ring"
uses = ["right"]
"""
import socket


def total(x):
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as caller, server.accept()[0] as other:
            caller.sendall(b"1")
            factor = int(other.recv(1))
    return right(x) * factor
