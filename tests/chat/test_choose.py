"""A model is opened by its name: scripts from a file, everything else through litellm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interviewer.chat.litellm_model import LitellmModel
from interviewer.chat.scripted import ScriptedModel
from interviewer.interview.participants import open_model


def test_open_model_knows_scripts_and_gives_litellm_the_rest(tmp_path: Path) -> None:
    script = tmp_path / "s.json"
    script.write_text(json.dumps({"replies": ["Hi."]}))
    assert isinstance(open_model("scripted"), ScriptedModel)
    assert open_model(f"scripted/{script}").name == f"scripted/{script}"
    other = open_model("ollama_chat/llama3")
    assert isinstance(other, LitellmModel)
    assert other.name == "ollama_chat/llama3"


def test_a_script_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        open_model(f"scripted/{tmp_path}/nowhere.json")
