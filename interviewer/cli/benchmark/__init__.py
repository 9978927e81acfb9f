"""Language models as candidates: they solve the coding tasks and take the interview."""
