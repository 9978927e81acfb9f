"""Coding tasks: content folders and their loader; standard library only, knows nothing of graders or sandboxes."""
