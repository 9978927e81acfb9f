"""Tests of the running session, with and without an observer."""
