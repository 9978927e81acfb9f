"""The running session, shared by all front ends; contains no drawing code."""
