"""Chooses the language model by its name and the environment; reads no file but a script, imports no provider."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interviewer.chat.model import ChatModel

SCRIPTED = "scripted"
# Provider, the variables that may hold its key, and the model taken when that key is all that is known.
_PROVIDERS = (
    ("openai", ("OPENAI_API_KEY",), "openai/gpt-5.4-mini"),
    ("anthropic", ("ANTHROPIC_API_KEY",), "anthropic/claude-sonnet-5-5"),
    ("gemini", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), "gemini/gemini-flash-latest"),
    ("openrouter", ("OPENROUTER_API_KEY",), "openrouter/openrouter/auto"),
    ("mistral", ("MISTRAL_API_KEY",), "mistral/mistral-large-latest"),
    ("deepseek", ("DEEPSEEK_API_KEY",), "deepseek/deepseek-v4-flash"),
    ("groq", ("GROQ_API_KEY",), "groq/openai/gpt-oss-120b"),
)
_OWN_SERVERS = ("ollama/", "ollama_chat/", "hosted_vllm/", "lm_studio/")
_OPENAI_BASES = ("OPENAI_BASE_URL", "OPENAI_API_BASE")


def missing_key(name: str, environ: Mapping[str, str]) -> str | None:
    """Return the variable that must hold a key for this model and does not; None when all is there or unknown.

    Assumes: local servers (ollama, ollama_chat, hosted_vllm, lm_studio, or openai with a base URL) want no key.
    """
    if is_keyless_openai(name, environ):
        return None
    for provider, variables, _ in _PROVIDERS:
        if name.startswith(provider + "/"):
            return None if any(environ.get(variable) for variable in variables) else variables[0]
    return None


def default_model(environ: Mapping[str, str]) -> str | None:
    """Return the model of the first provider whose key is set; None when there is none, which means offline."""
    for provider, variables, name in _PROVIDERS:
        # With a base URL the key is that server's, and nobody but the user knows which models it has.
        is_elsewhere = provider == "openai" and any(environ.get(base) for base in _OPENAI_BASES)
        if not is_elsewhere and any(environ.get(variable) for variable in variables):
            return name
    return None


def is_keyless_openai(name: str, environ: Mapping[str, str]) -> bool:
    """Tell whether this is a server of the user's own that speaks like OpenAI, with no key set."""
    has_base = any(environ.get(base) for base in _OPENAI_BASES)
    return name.startswith("openai/") and has_base and not environ.get("OPENAI_API_KEY")


def is_own_server(name: str, environ: Mapping[str, str]) -> bool:
    """Tell whether this model runs on a server of the user's own, which costs nothing by the call."""
    return name.startswith(_OWN_SERVERS) or is_keyless_openai(name, environ)


def open_model(name: str) -> ChatModel:
    """Return the model of this name: `scripted`, `scripted/PATH`, or any name that litellm knows.

    Raises: OSError or ValueError for a script that cannot be read.
    """
    if name == SCRIPTED or name.startswith(SCRIPTED + "/"):
        from interviewer.chat.scripted import ScriptedModel

        path = name[len(SCRIPTED) + 1 :]
        return ScriptedModel.load(Path(path)) if path else ScriptedModel()
    from interviewer.chat.litellm_model import LitellmModel

    return LitellmModel(name)
