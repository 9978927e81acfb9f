"""The practice log. Every event and draft is written to disk before the app acts on it."""
