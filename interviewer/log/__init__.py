"""The practice log: every event and every draft is on disk before anything depends on it."""
