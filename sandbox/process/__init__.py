"""Runs jobs in child processes, for machines without Docker; the active isolation level is always reported."""
