"""The practice log: every event and every draft, on disk before anything follows from it."""
