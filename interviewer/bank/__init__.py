"""The bank of questions: files, their strict loader, and how their phrasings are heard; pure and fast."""
