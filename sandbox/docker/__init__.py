"""Runs jobs in Docker containers; only `engine.py` talks to the Docker SDK."""
