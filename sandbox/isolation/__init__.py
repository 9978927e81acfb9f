"""Defines what a program may do and makes the kernel enforce it, the same way for containers and processes."""
