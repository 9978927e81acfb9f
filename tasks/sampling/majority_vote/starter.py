def majority_vote(answers, scores=None) -> tuple[int, float]:
    """Return the index of the first sample with the winning answer, and that answer's share of the votes.

    answers: a list of str or None; scores: a list of floats, or None if every vote counts the same.
    """
    raise NotImplementedError
