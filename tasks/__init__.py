"""Coding tasks: content folders and their loader; uses only the standard library, and imports no grader or sandbox."""
