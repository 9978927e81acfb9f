"""Tools for content authors: the checks, drafts and outlines for new questions and tasks."""
