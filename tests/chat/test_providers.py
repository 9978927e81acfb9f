"""A model's provider, its key and the default model depend only on names and the environment."""

from __future__ import annotations

import pytest

from interviewer.chat.providers import default_model, missing_key


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("openai/gpt-5.4-mini", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-5-5", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-flash-latest", "GEMINI_API_KEY"),
        ("groq/llama", "GROQ_API_KEY"),
        ("openrouter/openrouter/auto", "OPENROUTER_API_KEY"),
        ("deepseek/deepseek-v4-flash", "DEEPSEEK_API_KEY"),
        ("mistral/mistral-large-latest", "MISTRAL_API_KEY"),
        ("ollama/llama3", None),
        ("ollama_chat/llama3", None),
        ("hosted_vllm/x", None),
        ("lm_studio/x", None),
        ("scripted/a.json", None),
        ("something-else", None),
    ],
)
def test_missing_key_names_the_variable(name: str, wanted: str | None) -> None:
    assert missing_key(name, {}) == wanted
    if wanted:
        assert missing_key(name, {wanted: ""}) == wanted
        assert missing_key(name, {wanted: "k"}) is None


def test_either_variable_of_gemini_will_do() -> None:
    assert missing_key("gemini/x", {"GOOGLE_API_KEY": "k"}) is None


@pytest.mark.expectation(number=50)
@pytest.mark.parametrize("base", ["OPENAI_BASE_URL", "OPENAI_API_BASE"])
def test_a_server_of_ones_own_wants_no_key_and_is_no_default(base: str) -> None:
    environ = {base: "http://127.0.0.1:8080/v1"}
    assert missing_key("openai/mine", environ) is None
    assert default_model({**environ, "OPENAI_API_KEY": "any"}) is None


def test_the_default_is_the_first_provider_whose_key_is_set() -> None:
    assert default_model({}) is None
    assert default_model({"GROQ_API_KEY": "k"}) == "groq/openai/gpt-oss-120b"
    both = {"GROQ_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}
    assert default_model(both) == "anthropic/claude-sonnet-5-5"
    assert default_model({"OPENAI_API_KEY": ""}) is None


@pytest.mark.slow
def test_every_default_is_a_name_that_litellm_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # otherwise, the import tries to fetch a price map
    import litellm

    for key in ("OPENAI", "ANTHROPIC", "GEMINI", "OPENROUTER", "MISTRAL", "DEEPSEEK", "GROQ"):
        name = default_model({f"{key}_API_KEY": "k"})
        assert name is not None
        provider = litellm.get_llm_provider(name)[1]
        assert provider == key.lower()
        assert name in litellm.model_cost or name.split("/", 1)[1] in litellm.model_cost or key == "OPENROUTER"
