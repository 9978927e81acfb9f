"""Finds language models on this machine and in the environment, tries a model, and saves the choice.

This module has no user interface. It contacts only servers on this machine and sends them no key. A key is never read;
the code only checks whether it is set.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from interviewer.bank.load import load_questions
from interviewer.chat.litellm_model import ListedModel, listed_models
from interviewer.chat.local_servers import NotAModelServer, ServedModel, Server, ServerSilent, default_servers
from interviewer.chat.model import ChatModel, Usage
from interviewer.chat.providers import FoundKey, found_keys, is_own_server, key_variables
from interviewer.chat.spending import month_of
from interviewer.chat.streaming import never_cancelled
from interviewer.config import env_overrides, save_setting
from interviewer.errors import InterviewerError
from interviewer.examiner.gold import load_gold
from interviewer.interview.calibrating import judgment_count
from interviewer.interview.context import AppContext
from interviewer.interview.participants import month_cost_usd
from interviewer.sanitize import MASKED_KEY, Mask, masker, one_line
from interviewer.session.phrases import pluralize
from interviewer.session.scoring import has_credit

# All servers are queried in parallel; each request has its own, shorter timeout.
SERVERS_SECONDS = 3.0
LOADING_POLL_SECONDS = 0.05
# The example answer, shipped with the app, that `try_model` lets a model judge.
EXAMPLE_QUESTION, EXAMPLE_KIND = "ppo_clipping", "good"
NOTHING_FOUND = "The model credited none of the points in a good example answer, so its judgments cannot be trusted."
PER_MILLION = 1_000_000
EXAMPLE_COST = "The model judges a built-in example answer, which takes a few thousand tokens."


@dataclass(frozen=True)
class Candidate:
    """A model that can be chosen.

    `variable` is the environment variable that must stay set to use the model, or "" for a server at its default
    address. Unknown values are None. `runs_on` is the host to which a local server forwards the requests, if any.
    """

    name: str
    source: str
    variable: str = ""
    context_tokens: int | None = None
    is_limit: bool = False
    input_usd: float | None = None
    output_usd: float | None = None
    is_free: bool = False
    runs_on: str = ""

    @property
    def context(self) -> str:
        """Return the size of the context window as text; "up to" if the server may have a lower limit."""
        if self.context_tokens is None:
            return "unknown"
        return f"{'up to ' if self.is_limit else ''}{self.context_tokens:,} tokens"

    @property
    def price(self) -> str:
        """Return the price per million tokens as text."""
        if self.runs_on:
            return f"unknown, runs on {one_line(self.runs_on)}"
        if self.is_free:
            return "free"
        if self.input_usd is None or self.output_usd is None:
            return "unknown"
        return f"{self.input_usd * PER_MILLION:.2f} USD in, {self.output_usd * PER_MILLION:.2f} USD out"

    @property
    def about(self) -> str:
        """Return what is known about the model in one line."""
        is_known = not self.is_free and None not in (self.input_usd, self.output_usd)
        price = f"{self.price} per million tokens" if is_known else f"price: {self.price}"
        return f"context: {self.context} · {price} · {self.source}"


@dataclass(frozen=True)
class SearchedServer:
    """A server that was checked: its models, or the reason why none are listed."""

    kind: str
    address: str
    models: tuple[ServedModel, ...] = ()
    problem: str = ""
    is_silent: bool = False


@dataclass(frozen=True)
class FoundModels:
    """The keys' environment variables, the servers, the models to offer first, and the providers' other models."""

    keys: tuple[str, ...]
    servers: tuple[SearchedServer, ...]
    candidates: tuple[Candidate, ...]
    more: tuple[Candidate, ...] = ()

    @property
    def summary(self) -> list[str]:
        """Return the places that were searched for models, and the results."""
        if self.keys:
            lines = [f"API keys found: {', '.join(self.keys)}."]
        else:
            lines = [f"No API key found. The app reads keys from environment variables: {', '.join(key_variables())}."]
        for server in self.servers:
            if not server.problem:
                lines.append(f"{server.kind} at {server.address}: {pluralize(len(server.models), 'model')}.")
            elif not server.is_silent:
                lines.append(f"{server.kind} expected at {server.address}: {one_line(server.problem)}.")
        silent = [f"{server.kind} ({server.address})" for server in self.servers if server.is_silent]
        if silent:
            lines.append(f"No answer from {', '.join(silent)}.")
        if any(candidate.is_limit and candidate.context_tokens for candidate in self.candidates):
            lines.append("“up to” is the model's own limit; the server may have a lower one.")
        if not self.candidates:
            lines.append("Set a key and start interviewer again, or start a model server and check again.")
        return lines

    def named(self, name: str) -> Candidate:
        """Return the model choice with this name; for an unknown name, a choice without further information."""
        known = (candidate for candidate in (*self.candidates, *self.more) if candidate.name == name)
        return next(known, Candidate(name, "entered by hand"))


def find_models(environ: Mapping[str, str], seconds: float = SERVERS_SECONDS) -> FoundModels:
    """Return the models that can be used here. The search may take several seconds. The results contain no API keys."""
    keys = found_keys(environ)
    servers = _ask_all(_distinct(default_servers(environ)), seconds, masker(environ, MASKED_KEY))
    offered = [_served(server, model, environ) for server, searched in servers.items() for model in searched.models]
    tables = {key: _listed(key) for key in keys}
    defaults = [_from_table(key, tables[key]) for key in keys]
    names = {candidate.name for candidate in defaults}
    more = [_hosted(key, model) for key, models in tables.items() for model in models if model.name not in names]
    variables = tuple(key.variable for key in keys)
    return FoundModels(variables, tuple(servers.values()), (*defaults, *offered), tuple(more))


def _distinct(servers: Sequence[Server]) -> list[Server]:
    """Return the servers, one per address; an address from the environment is preferred."""
    found: dict[str, Server] = {}
    for server in sorted(servers, key=lambda server: not server.variable):
        found.setdefault(server.address.replace("//127.0.0.1", "//localhost"), server)
    return [server for server in servers if server in found.values()]


def _ask_all(servers: Sequence[Server], seconds: float, mask: Mask) -> dict[Server, SearchedServer]:
    """Return each server's reply, in the order of the servers.

    Servers that respond too slowly are treated as unreachable.
    """
    found: dict[Server, SearchedServer] = {}

    def ask(server: Server) -> None:
        found[server] = _ask(server, mask)

    threads = [threading.Thread(target=ask, args=(server,), daemon=True) for server in servers]
    end = time.monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    late = "it did not respond in time"
    return {
        server: found.get(server, SearchedServer(server.kind, mask(server.address), problem=late, is_silent=True))
        for server in servers
    }


def _ask(server: Server, mask: Mask) -> SearchedServer:
    result = SearchedServer(server.kind, mask(server.address))
    if not server.is_on_this_machine:
        why_not = f"not queried, because {server.variable} points to a different machine"
        return replace(result, problem=f"{why_not}; enter its model as {server.prefix}NAME")
    try:
        models = server.served()
    except ServerSilent as error:
        return replace(result, problem=mask(str(error)), is_silent=not isinstance(error, NotAModelServer))
    return replace(result, models=models)


def _served(server: Server, model: ServedModel, environ: Mapping[str, str]) -> Candidate:
    # The saved name is exactly the one shown, because a name cannot contain characters that a terminal interprets.
    name = server.prefix + one_line(model.name)
    return Candidate(
        name,
        server.kind,
        server.variable,
        model.context_tokens,
        model.is_limit,
        is_free=is_own_server(name, environ),
        runs_on=model.runs_on,
    )


def _listed(key: FoundKey) -> tuple[ListedModel, ...]:
    try:
        return listed_models(key.provider, time.strftime("%Y-%m-%d"))
    except InterviewerError:
        # Without the library's table, the default models are still offered; trying one reports the error.
        return ()


def _from_table(key: FoundKey, table: Sequence[ListedModel]) -> Candidate:
    unknown = ListedModel(key.model, None, None, None)
    return _hosted(key, next((model for model in table if model.name == key.model), unknown))


def _hosted(key: FoundKey, model: ListedModel) -> Candidate:
    return Candidate(
        model.name,
        key.variable,
        key.variable,
        model.context_tokens,
        input_usd=model.input_usd,
        output_usd=model.output_usd,
    )


@dataclass(frozen=True)
class Trial:
    """The result of one judgment: why the reply could not be used ("" if it could), and how long the judgment took."""

    model: str
    why_not: str
    seconds: float
    usage: Usage

    @property
    def tokens(self) -> int:
        """Return how many tokens the judgment used."""
        return self.usage.prompt_tokens + self.usage.completion_tokens

    @property
    def is_usable(self) -> bool:
        """Return whether the model's reply could be used."""
        return not self.why_not

    def __str__(self) -> str:
        """Return the result in one or two sentences."""
        if self.why_not:
            return f"No usable judgment after {self.seconds:.1f} s. {one_line(self.why_not)}"
        cost = "" if self.usage.cost_usd is None else f", {self.usage.cost_usd:.4f} USD"
        took = f"{self.seconds:.1f} s, {self.tokens:,} tokens{cost}"
        return f"{self.model} judged the example, and its reply is usable ({took})."


def context_with(context: AppContext, name: str) -> AppContext:
    """Return a context in which this model judges, regardless of the settings and the environment."""
    return AppContext(replace(context.settings, model=name, examiner="llm"), context.folders, context.environ)


def try_model(context: AppContext, name: str, is_cancelled: Callable[[], bool] = never_cancelled) -> Trial:
    """Let a model judge a shipped example answer. The cost is logged, and the caps apply.

    Raises LogError if the log cannot be used.
    """
    questions = {question.id: question for question in load_questions()}
    question = questions[EXAMPLE_QUESTION]
    gold = load_gold(questions)
    answer = next(answer for answer in gold if (answer.question, answer.kind) == (EXAMPLE_QUESTION, EXAMPLE_KIND))
    with context_with(context, name) as trial:
        try:
            model = trial.model
            assert model is not None
            examiner = trial.participants.examiner
        except InterviewerError as error:
            return Trial(name, f"{error.message}. {error.fix}", 0.0, Usage())
        budget = trial.budget("setup")
        if why_not := budget.session_cap_reason():
            return Trial(name, why_not, 0.0, Usage())
        _wait_until_loaded(model)
        began = time.monotonic()
        assessment = examiner.assess(question, question.prompt, answer.text, is_cancelled)
        seconds = time.monotonic() - began
        budget.keep()
        why_not = assessment.why_not
        if assessment.is_graded:
            why_not = "" if has_credit(assessment) else NOTHING_FOUND
        return Trial(name, why_not, seconds, budget.used)


def _wait_until_loaded(model: ChatModel) -> None:
    """Wait until the library is loaded, so that this one-time delay is not attributed to the model."""
    while not model.warm_up():
        time.sleep(LOADING_POLL_SECONDS)


def calibration_cost(context: AppContext, trial: Trial, *, runs_on: str = "") -> str:
    """Return sentences that estimate the cost and duration of a calibration with the model that was just tried.

    `runs_on` is the host to which a local server forwards the requests, if any; such a model may not be free. Raises
    LogError if the log cannot be used.
    """
    count = judgment_count(context)
    tokens = float(f"{count * trial.tokens:.2g}")
    cost_usd = None if trial.usage.cost_usd is None else count * trial.usage.cost_usd
    minutes = count * trial.seconds / 60
    if is_own_server(trial.model, context.environ) and not runs_on:
        price = "free"
    else:
        price = "price unknown" if cost_usd is None else f"about {cost_usd:.2f} USD"
    said = (
        f"Calibration has the model judge {count} answers: about {tokens:,.0f} tokens, {price},"
        f" about {max(1, round(minutes))} min. These are estimates based on one judgment."
    )
    left_usd = _left_this_month(context)
    if cost_usd is not None and left_usd is not None and cost_usd > left_usd and price != "free":
        said += (
            f" Only {left_usd:.2f} USD is left this month (month_cap_usd),"
            " so a calibration would stop before producing a result."
        )
    return said


def _left_this_month(context: AppContext) -> float | None:
    """Return how much of the monthly cap is left, in US dollars; None without a cap.

    Raises LogError if the log cannot be used.
    """
    cap_usd = context.settings.month_cap_usd
    return max(0.0, cap_usd - month_cost_usd(context.log, month_of(time.time()))) if cap_usd else None


def save_model(context: AppContext, model: Candidate) -> list[str]:
    """Save the model in the settings and use it from the next session on; return what was done.

    Raises ConfigError if the setting cannot be written. A server's address is not a setting: it is the default address
    or is set in the environment.
    """
    path = save_setting(context.folders, "model", model.name)
    said = [f"Saved model = {one_line(model.name)} to {path}."]
    settings = replace(context.settings, model=model.name)
    if settings.examiner == "offline":
        save_setting(context.folders, "examiner", "auto")
        settings = replace(settings, examiner="auto")
        said.append("Also changed examiner from offline to auto, because the offline examiner uses no model.")
    if model.variable:
        said.append(f"Keep {model.variable} set: its value is not saved.")
    if variable := env_overrides(context.environ).get("model"):
        said.append(f"{variable} is set and overrides it.")
        settings = replace(settings, model=context.settings.model)
    context.use(settings)
    return said
