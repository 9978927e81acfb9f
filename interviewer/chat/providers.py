"""Providers by model name: each provider's required API key and default model; imports no provider library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interviewer.errors import InterviewerError

# The provider, the environment variables that may contain its key, and its default model.
_PROVIDERS = (
    ("openai", ("OPENAI_API_KEY",), "openai/gpt-5.4-mini"),
    ("anthropic", ("ANTHROPIC_API_KEY",), "anthropic/claude-sonnet-5-5"),
    ("gemini", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), "gemini/gemini-flash-latest"),
    ("openrouter", ("OPENROUTER_API_KEY",), "openrouter/openrouter/auto"),
    ("mistral", ("MISTRAL_API_KEY",), "mistral/mistral-large-latest"),
    ("deepseek", ("DEEPSEEK_API_KEY",), "deepseek/deepseek-v4-flash"),
    ("groq", ("GROQ_API_KEY",), "groq/openai/gpt-oss-120b"),
)
_OWN_SERVERS = ("ollama/", "ollama_chat/", "hosted_vllm/", "lm_studio/", "llamafile/")
_OPENAI_BASES = ("OPENAI_BASE_URL", "OPENAI_API_BASE")


def choose_model_name(examiner: str, model: str, environ: Mapping[str, str]) -> str:
    """Return the name of the language model to use, or "" for none; `examiner` and `model` are the settings.

    Raises InterviewerError if a model is required but not configured.
    """
    if examiner == "offline":
        return ""
    name = model or default_model(environ) or ""
    lacks = missing_key(name, environ) if name else None
    if examiner == "llm" and not name:
        fix = "Set INTERVIEWER_MODEL (e.g. openai/gpt-5), or use --examiner offline, which needs no API key."
        raise InterviewerError("no language model is selected, and no provider's API key is set", fix, "model")
    if lacks and model:
        raise InterviewerError(
            f"{name} needs {lacks}, which is not set", f"Set {lacks}, or use --examiner offline.", "model"
        )
    return "" if lacks else name


def missing_key(name: str, environ: Mapping[str, str]) -> str | None:
    """Return the environment variable that should contain this model's key; None if no key is missing.

    Assumes: local servers (ollama, ollama_chat, hosted_vllm, lm_studio, llamafile) need no key, nor does openai with a
    base URL.
    """
    if is_keyless_openai(name, environ):
        return None
    for provider, variables, _ in _PROVIDERS:
        if name.startswith(provider + "/"):
            return None if any(environ.get(variable) for variable in variables) else variables[0]
    return None


@dataclass(frozen=True)
class FoundKey:
    """An API key found in the environment: the variable's name, the provider, and the provider's default model."""

    variable: str
    provider: str
    model: str


def found_keys(environ: Mapping[str, str]) -> tuple[FoundKey, ...]:
    """Return the providers whose API key is set, in order of preference."""
    found = []
    for provider, variables, name in _PROVIDERS:
        # With a base URL, the key belongs to that server, and only the user knows which models the server offers.
        is_elsewhere = provider == "openai" and any(environ.get(base) for base in _OPENAI_BASES)
        variable = next((variable for variable in variables if environ.get(variable)), "")
        if variable and not is_elsewhere:
            found.append(FoundKey(variable, provider, name))
    return tuple(found)


def key_variables() -> tuple[str, ...]:
    """Return the environment variables that may contain a provider's key."""
    return tuple(variables[0] for _, variables, _ in _PROVIDERS)


def default_model(environ: Mapping[str, str]) -> str | None:
    """Return the default model of the first provider whose API key is set.

    Return None if no key is set, which means offline.
    """
    return next((key.model for key in found_keys(environ)), None)


def is_keyless_openai(name: str, environ: Mapping[str, str]) -> bool:
    """Return whether this model runs on the user's own OpenAI-compatible server without a key."""
    has_base = any(environ.get(base) for base in _OPENAI_BASES)
    return name.startswith("openai/") and has_base and not environ.get("OPENAI_API_KEY")


def is_own_server(name: str, environ: Mapping[str, str]) -> bool:
    """Return whether this model runs on the user's own server, where calls are free."""
    return name.startswith(_OWN_SERVERS) or is_keyless_openai(name, environ)
