"""Open a language model by its name; litellm itself is imported only when the first call is made."""

from __future__ import annotations

from pathlib import Path

from interviewer.chat.litellm_model import LitellmModel
from interviewer.chat.model import ChatModel
from interviewer.chat.scripted import ScriptedModel

SCRIPTED = "scripted"


def open_model(name: str) -> ChatModel:
    """Return the model of this name: `scripted`, `scripted/PATH`, or any name that litellm knows.

    Raises: OSError or ValueError for a script that cannot be read.
    """
    if name == SCRIPTED or name.startswith(SCRIPTED + "/"):
        path = name[len(SCRIPTED) + 1 :]
        return ScriptedModel.load(Path(path)) if path else ScriptedModel()
    return LitellmModel(name)
