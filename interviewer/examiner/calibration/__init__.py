"""Measures how well an examiner judges, using gold answers."""
