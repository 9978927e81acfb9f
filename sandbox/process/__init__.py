"""Runs jobs in child processes, for machines without Docker; the isolation level that holds is always reported."""
