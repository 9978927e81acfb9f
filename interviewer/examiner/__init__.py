"""Judging answers: offline by matching phrasings, or by a language model whose quotes are verified."""
