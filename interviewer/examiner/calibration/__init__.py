"""How well an examiner judges, measured on gold answers."""
