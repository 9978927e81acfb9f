"""Tests of sessions that an observer joins."""
