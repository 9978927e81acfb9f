"""Runs untrusted programs and knows nothing of torch, tasks or interviews."""
