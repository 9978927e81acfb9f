"""Tools for content authors: the checks, drafts and outlines behind new questions and tasks."""
