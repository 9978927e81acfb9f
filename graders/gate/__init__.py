"""Proves that a task's content is right; a task that has a complaint does not ship."""
