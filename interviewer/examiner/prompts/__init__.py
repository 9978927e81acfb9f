"""Loads the prompt files and fills in their fields; a field's value is never parsed as a template."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from string import Template

from interviewer.chat.model import Message

_BORDER = "\n---\n"


def prompt_messages(name: str, **fields: str) -> list[Message]:
    """Return the system and user messages of `name`.md, with these fields filled in."""
    system, user = _parts(name)
    return [Message("system", system.substitute(fields)), Message("user", user.substitute(fields))]


def fence_tag(text: str) -> str:
    """Return the tag that encloses a candidate's text in a prompt: a hash, so that no text can contain its own tag."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def _parts(name: str) -> tuple[Template, Template]:
    system, user = files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").split(_BORDER)
    return Template(system.strip()), Template(user.strip())


@cache
def prompt_version(name: str) -> str:
    """Return a short hash of `name`.md; a judge with a different prompt is treated as a different examiner."""
    return hashlib.sha256(files(__name__).joinpath(f"{name}.md").read_bytes()).hexdigest()[:12]
