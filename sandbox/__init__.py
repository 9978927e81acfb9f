"""Runs untrusted programs; independent of torch, tasks and interviews."""
