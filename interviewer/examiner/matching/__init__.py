"""How the offline examiner matches an answer with a point: pure functions of text."""
