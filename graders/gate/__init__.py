"""Proves that a task's content is correct; a task with a complaint does not ship."""
