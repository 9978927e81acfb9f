"""Setting up a model: what is found, what is never sent, a trial, its extrapolation, and what is saved."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPConnection
from typing import Any

import pytest

from interviewer.bank.load import load_questions
from interviewer.chat import local_servers
from interviewer.chat.litellm_model import LitellmModel, _import_litellm, listed_models
from interviewer.chat.local_servers import ServedModel, Server
from interviewer.chat.model import Message, Usage
from interviewer.chat.spending import month_of
from interviewer.config import Settings, find_folders, load_settings
from interviewer.interview import model_setup
from interviewer.interview.calibrating import calibrate_examiner, judgment_count
from interviewer.interview.context import AppContext
from interviewer.interview.model_setup import Candidate, Trial, calibration_cost, find_models, save_model, try_model
from interviewer.interview.participants import month_cost_usd
from tests.chat.fake_server import KEY, FakeServer
from tests.interview.test_spend_cap import Priced

SHOWN = {"id": "objective_min", "quotes": ["PPO maximises the smaller of two products"], "why": "", "state": "shown"}
ONE_SHOWN = json.dumps({"points": [SHOWN], "misconceptions": [], "flags": [], "retracted": []})
NOTHING_SHOWN = json.dumps({"points": [], "misconceptions": [], "flags": [], "retracted": []})


@pytest.fixture
def context() -> Iterator[AppContext]:
    with AppContext(Settings(), find_folders(), environ={}) as context:
        yield context


def server_of(kind: str, server: FakeServer) -> Server:
    url = server.url.removesuffix("/v1") if kind == "ollama" else server.url
    return Server(kind, "", url, "", "", False)


def served(kind: str, server: FakeServer) -> list[tuple[str, int | None, bool, str]]:
    found = server_of(kind, server).served()
    return [(model.name, model.context_tokens, model.is_limit, model.runs_on) for model in found]


def test_each_kind_of_server_says_how_large_the_context_is(local_server: FakeServer) -> None:
    local_server.offers = ["chat", "embedder", "plain", "away"]
    local_server.pages["chat"] = {"capabilities": ["completion"], "model_info": {"qwen3.context_length": 40960}}
    local_server.pages["embedder"] = {"capabilities": ["embedding"], "model_info": {"bert.context_length": 512}}
    local_server.details["away"] = {"remote_host": "https://ollama.com:443"}
    assert served("ollama", local_server) == [
        ("chat", 40960, True, ""),
        ("plain", None, True, ""),
        ("away", None, True, "ollama.com"),
    ]

    local_server.offers = ["loaded", "not loaded", "embedder"]
    local_server.pages["/api/v0/models"] = {
        "data": [
            {"id": "loaded", "max_context_length": 131072, "loaded_context_length": 8192},
            {"id": "not loaded", "max_context_length": 131072},
            {"id": "embedder", "type": "embeddings"},
        ]
    }
    assert served("LM Studio", local_server) == [("loaded", 8192, False, ""), ("not loaded", 131072, True, "")]

    local_server.pages["/props"] = {"default_generation_settings": {"n_ctx": 16384}}
    assert served("llama.cpp", local_server) == [(name, None, False, "") for name in local_server.offers]
    local_server.offers = ["only"]
    assert served("llama.cpp", local_server) == [("only", 16384, False, "")]

    local_server.details["only"] = {"max_model_len": 32768}
    assert served("vLLM", local_server) == [("only", 32768, False, "")]


def test_a_server_that_says_nothing_or_nonsense_about_a_model_still_offers_it(local_server: FakeServer) -> None:
    local_server.offers = ["a", "b", "c"]
    local_server.pages.update({"a": {"model_info": "x"}, "b": {"model_info": {"x.context_length": "many"}}})
    assert served("ollama", local_server) == [(name, None, True, "") for name in "abc"]
    local_server.pages["/api/v0/models"] = {"data": [1, {"id": "a", "loaded_context_length": True}]}
    assert [model[1] for model in served("LM Studio", local_server)] == [None] * 3
    local_server.details["a"] = {"max_model_len": -1}
    assert [model[1] for model in served("vLLM", local_server)] == [None] * 3


def test_the_servers_on_this_machine_are_found_and_get_no_key(local_server: FakeServer) -> None:
    local_server.details["large"] = {"max_model_len": 32768}
    local_server.offers.append("\x1b[31mred\x1b[0m")
    environ = dict.fromkeys(("HOSTED_VLLM_API_KEY", "LM_STUDIO_API_KEY", "OLLAMA_API_KEY"), KEY)
    found = find_models(environ)
    assert [(model.name, model.context, model.price, model.source) for model in found.candidates] == [
        ("hosted_vllm/small", "unknown", "free", "vLLM"),
        ("hosted_vllm/large", "32,768 tokens", "free", "vLLM"),
        ("hosted_vllm/[31mred[0m", "unknown", "free", "vLLM"),
    ]
    assert local_server.keys_seen == [""]
    assert f"vLLM at {local_server.url}: 3 models." in found.summary
    silent = "ollama (http://127.0.0.1:1/ollama), LM Studio (http://127.0.0.1:1/lmstudio)"
    assert f"No answer from {silent}, llama.cpp (http://127.0.0.1:1/llama.cpp)." in found.summary
    assert found.summary[0].startswith(
        "No API key found. The app reads keys from environment variables: OPENAI_API_KEY, "
    )
    assert KEY not in str(found)


@pytest.mark.parametrize("mode", ["a page", "401", "elsewhere"])
def test_a_different_program_at_a_default_address_is_named(local_server: FakeServer, mode: str) -> None:
    local_server.always = mode
    found = find_models({})
    assert found.candidates == ()
    assert found.summary[-1].startswith("Set a key and start interviewer again")
    assert any(line.startswith(f"vLLM expected at {local_server.url}: it") for line in found.summary)
    assert local_server.keys_seen == [""], "a redirect was followed"


def test_a_different_machine_is_not_called(local_server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    connect = HTTPConnection.connect

    def note(connection: HTTPConnection) -> None:
        called.append(connection.host)
        connect(connection)

    monkeypatch.setattr(HTTPConnection, "connect", note)
    found = find_models({"HOSTED_VLLM_API_BASE": "http://me:secret-word@192.0.2.1:8000/v1", "OLLAMA_HOST": "0.0.0.0"})
    assert set(called) == {"127.0.0.1"}
    why = "HOSTED_VLLM_API_BASE points to a different machine; enter its model as hosted_vllm/NAME."
    assert f"vLLM expected at http://192.0.2.1:8000/v1: not queried, because {why}" in found.summary
    assert "secret-word" not in str(found)


def test_two_kinds_at_one_address_are_one_server(local_server: FakeServer) -> None:
    url = local_server.url.replace("127.0.0.1", "localhost")
    found = find_models({"OPENAI_BASE_URL": url})
    assert [model.name for model in found.candidates] == ["openai/small", "openai/large"]
    assert [model.variable for model in found.candidates] == ["OPENAI_BASE_URL"] * 2
    assert [model.is_free for model in found.candidates] == [True, True]
    # A server that needs a key may be a proxy to a provider that charges.
    assert not any(model.is_free for model in find_models({"OPENAI_BASE_URL": url, "OPENAI_API_KEY": KEY}).candidates)


def test_a_server_that_is_too_slow_counts_as_silent(local_server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end, waited = threading.Event(), []

    def served(server: Server) -> tuple[ServedModel, ...]:
        waited.append(may_end.wait(20))
        return ()

    monkeypatch.setattr(Server, "served", served)
    silent = [server.is_silent for server in find_models({}, seconds=0.05).servers]
    assert silent == [True] * 4
    assert waited == [], "the search waited for the servers"
    may_end.set()


@pytest.mark.slow
def test_keys_are_found_by_name_with_context_and_price_from_the_librarys_table(local_server: FakeServer) -> None:
    local_server.always = "500"
    environ = {"GOOGLE_API_KEY": KEY, "GROQ_API_KEY": KEY, "OPENROUTER_API_KEY": KEY}
    found = find_models(environ)
    assert found.keys == ("GOOGLE_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY")
    assert [model.name for model in found.candidates] == [
        "gemini/gemini-flash-latest",
        "openrouter/openrouter/auto",
        "groq/openai/gpt-oss-120b",
    ]
    litellm = _import_litellm()

    listed = litellm.model_cost["groq/openai/gpt-oss-120b"]
    groq = found.candidates[2]
    assert groq.context == f"{listed['max_input_tokens']:,} tokens"
    assert groq.price == (
        f"{listed['input_cost_per_token'] * 1e6:.2f} USD in, {listed['output_cost_per_token'] * 1e6:.2f} USD out"
    )
    assert (found.candidates[1].context, found.candidates[1].price) == ("unknown", "unknown")
    assert {model.source for model in found.more} == {"GOOGLE_API_KEY", "GROQ_API_KEY"}
    assert not {model.name for model in found.more} & {model.name for model in found.candidates}
    assert KEY not in str(found)


def test_a_retired_model_is_not_offered() -> None:
    litellm = _import_litellm()

    dates = {
        f"openai/{name}": str(entry["deprecation_date"])
        for name, entry in litellm.model_cost.items()
        if entry.get("litellm_provider") == "openai" and entry.get("deprecation_date")
    }
    names = {model.name for model in listed_models("openai", "2000-01-01")}
    name = next(name for name in sorted(dates) if name in names)
    assert name not in {model.name for model in listed_models("openai", dates[name])}


def test_a_local_model_is_called_at_its_default_address_without_another_providers_key(
    local_server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert LitellmModel("hosted_vllm/small").complete([Message("user", "Hello")]).text == "Why is that?"
    assert not any(KEY in seen for seen in local_server.keys_seen)
    kinds = tuple((*kind[:3], local_server.url, *kind[4:]) for kind in local_servers._KINDS[1:4])
    monkeypatch.setattr(local_servers, "_KINDS", kinds)
    for name in ("lm_studio/small", "llamafile/small"):
        assert LitellmModel(name).complete([Message("user", "Hello")]).text == "Why is that?"
    assert not any(KEY in seen for seen in local_server.keys_seen)
    assert [request["model"] for request in local_server.requests] == ["small"] * 3


def test_a_trial_says_whether_the_reply_can_be_used(local_server: FakeServer, context: AppContext) -> None:
    local_server.script = lambda messages: ONE_SHOWN
    trial = try_model(context, "hosted_vllm/small")
    assert trial.is_usable
    assert trial.tokens == 8 * trial.usage.calls > 0
    assert str(trial).startswith("hosted_vllm/small judged the example, and its reply is usable (")
    sent = " ".join(message["content"] for message in local_server.requests[0]["messages"])
    assert "PPO" in sent

    local_server.script = lambda messages: NOTHING_SHOWN
    assert "credited none of the points in a good example answer" in str(try_model(context, "hosted_vllm/small"))

    local_server.script = lambda messages: "I think that is a good answer."
    trial = try_model(context, "hosted_vllm/small")
    assert not trial.is_usable
    assert "hosted_vllm/small: no usable judgment" in str(trial)

    local_server.always = "404"
    assert "the server rejected the request" in str(try_model(context, "hosted_vllm/small"))
    # The settings are unchanged.
    assert context.settings.model == ""


def test_a_trial_without_a_key_sends_nothing(local_server: FakeServer, context: AppContext) -> None:
    trial = try_model(context, "openai/gpt-5.4-mini")
    assert "openai/gpt-5.4-mini needs OPENAI_API_KEY, which is not set" in trial.why_not
    assert local_server.requests == []


def test_a_trial_is_paid_for_and_the_caps_apply(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interviewer.interview.participants.open_model", lambda *_: Priced())
    trial = try_model(context, "priced/model")
    assert trial.usage.cost_usd == pytest.approx(0.1 * trial.usage.calls)
    assert month_cost_usd(context.log, month_of(time.time())) == pytest.approx(trial.usage.cost_usd)
    context.settings = replace(context.settings, month_cap_usd=0.05)
    assert try_model(context, "priced/model").why_not.startswith("the monthly cap of 0.05 USD has been reached")


def a_trial(cost_usd: float | None, model: str = "openai/x") -> Trial:
    return Trial(model, "", 3.0, Usage(2, 4_000, 500, cost_usd))


def test_what_a_calibration_takes_is_extrapolated_from_the_trial(context: AppContext) -> None:
    counts: list[tuple[int, int]] = []

    def stop(done: int, of: int) -> bool:
        counts.append((done, of))
        return False

    assert calibrate_examiner(context, stop)[0] is None
    (count,) = {of for _, of in counts}
    assert judgment_count(context) == count
    said = calibration_cost(context, a_trial(0.01))
    tokens = round(count * 4_500, -5)
    expected = (
        f"judge {count} answers: about {tokens:,} tokens, about {count * 0.01:.2f} USD, about {count * 3 / 60:.0f}"
    )
    assert expected in said
    assert "left this month" not in said
    assert "price unknown" in calibration_cost(context, a_trial(None))
    assert "tokens, free, about" in calibration_cost(context, a_trial(None, "lm_studio/x"))
    forwarded = calibration_cost(context, a_trial(None, "ollama_chat/x"), runs_on="ollama.com")
    assert "price unknown" in forwarded
    assert "free" not in forwarded
    assert "Only 20.00 USD is left this month" in calibration_cost(context, a_trial(0.5))
    context.settings = replace(context.settings, month_cap_usd=0.0)
    assert "left this month" not in calibration_cost(context, a_trial(0.5))


def test_the_model_is_saved_and_used(context: AppContext) -> None:
    context.use(Settings(examiner="offline"))
    context.environ = {"GROQ_API_KEY": KEY}
    said = save_model(context, Candidate("groq/x", "GROQ_API_KEY", "GROQ_API_KEY"))
    saved = load_settings(context.folders, {}, {})
    assert (saved.model, saved.examiner) == ("groq/x", "auto")
    assert context.model_name == "groq/x"
    assert said[0] == f"Saved model = groq/x to {context.folders.config_file}."
    assert "from offline to auto" in said[1]
    assert said[2] == "Keep GROQ_API_KEY set: its value is not saved."
    assert KEY not in context.folders.config_file.read_text()
    said = save_model(context, Candidate("lm_studio/x", "LM Studio"))
    assert len(said) == 1
    context.environ = {"INTERVIEWER_MODEL": "groq/x"}
    assert save_model(context, Candidate("lm_studio/y", "LM Studio"))[1] == "INTERVIEWER_MODEL is set and overrides it."
    assert context.settings.model == "lm_studio/x"


def test_the_example_exists() -> None:
    questions: dict[str, Any] = {question.id: question for question in load_questions()}
    assert model_setup.EXAMPLE_QUESTION in questions
