"""Finds the user's own model servers and lists the models that they offer; calls no other server.

ServerSilent                the server returned no list of models; the message gives the reason
└── NotAModelServer         it replied with something else
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

ANSWER_SECONDS = 1.0
ANSWER_BYTES_MAX = 2**20
# Ollama describes one model per request.
DESCRIBED_MAX = 30
NAME_CHARACTERS_MAX = 120
# The fields of each server: kind, model name prefixes, environment variables for the address, default address,
# environment variable for the API key, and the program that is on the PATH if the server is installed.
_KINDS = (
    ("ollama", ("ollama_chat/", "ollama/"), ("OLLAMA_API_BASE", "OLLAMA_HOST"), "http://localhost:11434", "", "ollama"),
    ("vLLM", ("hosted_vllm/",), ("HOSTED_VLLM_API_BASE",), "http://localhost:8000/v1", "HOSTED_VLLM_API_KEY", ""),
    ("LM Studio", ("lm_studio/",), ("LM_STUDIO_API_BASE",), "http://localhost:1234/v1", "LM_STUDIO_API_KEY", "lms"),
    # LiteLLM's name for a llama.cpp server is "llamafile"; llamafile contains such a server.
    ("llama.cpp", ("llamafile/",), ("LLAMAFILE_API_BASE",), "http://localhost:8080/v1", "LLAMAFILE_API_KEY", ""),
    ("OpenAI-like server", ("openai/",), ("OPENAI_BASE_URL", "OPENAI_API_BASE"), "", "OPENAI_API_KEY", ""),
)


class ServerSilent(Exception):
    """A server returned no list of models; the message gives the reason."""


class NotAModelServer(ServerSilent):
    """The server's response is not a list of models."""


@dataclass(frozen=True)
class ServedModel:
    """A model that a server offers; `context_tokens` is None if the server does not report it.

    If `is_limit` is true, the context length is the model's own limit, and the server may be configured with a lower
    one. `runs_on` is the host to which the server forwards requests, or "" if the model runs on the server itself.
    """

    name: str
    context_tokens: int | None = None
    is_limit: bool = False
    runs_on: str = ""


@dataclass(frozen=True)
class Server:
    """One server.

    The server's model names start with `prefix`. `variable` names the environment variable that contains the server's
    address; it is "" for the default address. `is_wanted` is true if the user chose this server, so a missing reply is
    a problem to fix. If `is_wanted` is false, the server only happens to be installed.
    """

    kind: str
    prefix: str
    url: str
    key: str
    variable: str
    is_wanted: bool

    @property
    def address(self) -> str:
        """Return the address without its user name, password and query, which may contain secrets."""
        parts = self._parts
        return f"{parts.scheme}://{self._host}{parts.path}".rstrip("/")

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.url)

    @property
    def _host(self) -> str:
        return self._parts.netloc.rpartition("@")[2]

    @property
    def is_on_this_machine(self) -> bool:
        """Return whether the address is a loopback address."""
        try:
            host = urlsplit(self.url).hostname or ""
            return host == "localhost" or ip_address(host).is_loopback
        except ValueError:
            return False

    def models(self, seconds: float = ANSWER_SECONDS) -> tuple[str, ...]:
        """Return the names of the models that the server offers.

        Raises ServerSilent if the server returns no list of models.
        """
        return tuple(_name(entry) for entry in self._listed(seconds))

    def served(self, seconds: float = ANSWER_SECONDS) -> tuple[ServedModel, ...]:
        """Return the chat models, each with the details that the server reports.

        Raises ServerSilent if the server returns no list of models. `seconds` is the timeout for each request.
        """
        listed = self._listed(seconds)
        describe = {"ollama": self._ollama, "LM Studio": self._lm_studio, "llama.cpp": self._llama_cpp}.get(self.kind)
        if describe is None:
            return tuple(ServedModel(_name(entry), _tokens(entry.get("max_model_len"))) for entry in listed)
        return describe(listed, seconds)

    def _ollama(self, listed: list[dict[str, Any]], seconds: float) -> tuple[ServedModel, ...]:
        models = []
        for place, entry in enumerate(listed):
            model = ServedModel(_name(entry), is_limit=True, runs_on=_host(entry.get("remote_host")))
            about = self._about("api/show", seconds, {"model": _name(entry)}) if place < DESCRIBED_MAX else {}
            capabilities = about.get("capabilities")
            if isinstance(capabilities, list) and "completion" not in capabilities:
                continue
            info = about.get("model_info")
            lengths = [
                _tokens(value)
                for key, value in (info.items() if isinstance(info, dict) else ())
                if key.endswith(".context_length")
            ]
            models.append(replace(model, context_tokens=next(iter(lengths), None)))
        return tuple(models)

    def _lm_studio(self, listed: list[dict[str, Any]], seconds: float) -> tuple[ServedModel, ...]:
        data = self._about("/api/v0/models", seconds).get("data")
        described = {
            entry.get("id"): entry for entry in (data if isinstance(data, list) else ()) if isinstance(entry, dict)
        }
        models = []
        for entry in listed:
            about = described.get(entry.get("id"), {})
            loaded, limit = (_tokens(about.get(f"{which}_context_length")) for which in ("loaded", "max"))
            if about.get("type") != "embeddings":
                models.append(ServedModel(_name(entry), loaded or limit, is_limit=loaded is None))
        return tuple(models)

    def _llama_cpp(self, listed: list[dict[str, Any]], seconds: float) -> tuple[ServedModel, ...]:
        settings = self._about("/props", seconds).get("default_generation_settings")
        tokens = _tokens(settings.get("n_ctx")) if isinstance(settings, dict) else None
        # With several models, the reported context length is that of the loaded model.
        return tuple(ServedModel(_name(entry), tokens if len(listed) == 1 else None) for entry in listed)

    def _listed(self, seconds: float) -> list[dict[str, Any]]:
        """Return the entries of the server's list of models; every entry has a name.

        Raises ServerSilent if the server returns no list of models.
        """
        body = self._answer("api/tags" if self.kind == "ollama" else "models", seconds)
        try:
            answer: Any = json.loads(body)
            listed = list(answer["models"] if "models" in answer else answer["data"])
            for entry in listed:
                _name(entry)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise NotAModelServer("its response was not a list of models") from None
        return listed

    def _about(self, path: str, seconds: float, content: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the server's response, which contains only optional details; {} if there is none."""
        with suppress(ServerSilent, ValueError):
            about = json.loads(self._answer(path, seconds, content))
            return about if isinstance(about, dict) else {}
        return {}

    def _answer(self, path: str, seconds: float, content: Mapping[str, str] | None = None) -> bytes:
        """Return the response to a request for `path`, which is relative to the address unless it starts with "/".

        Raises ServerSilent if the server returns no list of models.
        """
        parts = self._parts
        if not path.startswith("/"):
            path = f"{parts.path.rstrip('/')}/{path}"
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        # Do not use urllib: it forwards the key on redirects, and may use a proxy for a server on this machine.
        try:
            connection = kind(self._host, timeout=seconds)
            try:
                if content is None:
                    connection.request("GET", path, headers=headers)
                else:
                    connection.request(
                        "POST", path, json.dumps(content), {**headers, "Content-Type": "application/json"}
                    )
                answer = connection.getresponse()
                body = answer.read(ANSWER_BYTES_MAX)
            finally:
                connection.close()
        except (OSError, HTTPException, ValueError) as error:
            # An error about a header includes the header, which contains the key.
            reason = str(error) if isinstance(error, OSError) else type(error).__name__
            raise ServerSilent("it did not respond in time" if isinstance(error, TimeoutError) else reason) from None
        if answer.status != 200:
            raise NotAModelServer(f"it answered {answer.status} {answer.reason}")
        return body


def _name(entry: Mapping[str, Any]) -> str:
    return " ".join(str(entry.get("name") or entry["id"]).split())[:NAME_CHARACTERS_MAX]


def _tokens(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _host(url: Any) -> str:
    try:
        return urlsplit(url).hostname or "" if isinstance(url, str) else ""
    except ValueError:
        return "another machine"


def servers(
    environ: Mapping[str, str], model: str, find: Callable[[str], str | None] = shutil.which
) -> tuple[Server, ...]:
    """Return the servers that are set in the environment, needed by the chosen model, or installed locally."""
    found_servers = []
    for kind, prefixes, variables, usual, key, program in _KINDS:
        variable = next((name for name in variables if environ.get(name)), "")
        is_chosen = model.startswith(prefixes) and bool(variable or usual)
        if variable or is_chosen or (program and find(program)):
            prefix = next((known_prefix for known_prefix in prefixes if model.startswith(known_prefix)), prefixes[0])
            url = _url(environ[variable], variable) if variable else usual
            is_wanted = is_chosen or bool(variable)
            found_servers.append(Server(kind, prefix, url, environ.get(key, ""), variable, is_wanted))
    return tuple(found_servers)


def default_servers(environ: Mapping[str, str]) -> tuple[Server, ...]:
    """Return a server of each kind, at the address set in the environment or at the default address.

    No API keys are sent to these servers, because a different program may be listening at a default address.
    """
    found_servers = []
    for kind, prefixes, variables, usual, _, _ in _KINDS:
        variable = next((name for name in variables if environ.get(name)), "")
        if variable or usual:
            url = _url(environ[variable], variable) if variable else usual
            found_servers.append(Server(kind, prefixes[0], url, "", variable, bool(variable)))
    return tuple(found_servers)


def address_of(model: str, environ: Mapping[str, str]) -> str:
    """Return the address for calls to a model on the user's own server; "" if litellm itself knows the address.

    litellm has no default address for LM Studio and vLLM; without an address, litellm would call OpenAI.
    """
    for _, prefixes, variables, usual, _, _ in _KINDS:
        if usual and model.startswith(prefixes):
            variable = next((name for name in variables if environ.get(name)), "")
            return _url(environ[variable], variable) if variable else usual
    return ""


def _url(given: str, variable: str) -> str:
    """Return an address as a URL. OLLAMA_HOST may be just a host, and Ollama also listens on that address."""
    url = (given if "://" in given else f"http://{given}").replace("//0.0.0.0", "//127.0.0.1")
    is_host_alone = variable == "OLLAMA_HOST" and "://" not in given and ":" not in given
    return f"{url}:11434" if is_host_alone else url
