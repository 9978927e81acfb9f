"""The prompts as they are on file; what is filled in is never read as a template again."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from string import Template

from interviewer.chat.model import Message

_BORDER = "\n---\n"


def prompt_messages(name: str, **fields: str) -> list[Message]:
    """Return the system and the user message of `name`.md, with these fields filled in."""
    system, user = _parts(name)
    return [Message("system", system.substitute(fields)), Message("user", user.substitute(fields))]


@cache
def _parts(name: str) -> tuple[Template, Template]:
    system, user = files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").split(_BORDER)
    return Template(system.strip()), Template(user.strip())


@cache
def prompt_version(name: str) -> str:
    """Return a short hash of `name`.md: judgements under another prompt are another examiner's."""
    return hashlib.sha256(files(__name__).joinpath(f"{name}.md").read_bytes()).hexdigest()[:12]
