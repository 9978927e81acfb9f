"""Defines what a program may do and makes the kernel enforce it, both for containers and for processes."""
