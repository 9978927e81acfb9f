"""Grading many submissions: one after another on this machine, or on the nodes of a Ray cluster."""
