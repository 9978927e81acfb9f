"""How the offline examiner matches an answer against a point: pure functions of text."""
