"""Finds the user's own model servers and lists the models that they offer; calls no other server.

ServerSilent                the server returned no list of models; the message gives the reason
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlsplit

ANSWER_SECONDS = 1.0
ANSWER_BYTES_MAX = 2**20
NAME_CHARACTERS_MAX = 120
# Each entry has the kind, the prefixes of its model names, the environment variables for its address, the default
# address, the environment variable for its key, and the program that is on the PATH if the server is installed.
_KINDS = (
    ("ollama", ("ollama_chat/", "ollama/"), ("OLLAMA_API_BASE", "OLLAMA_HOST"), "http://localhost:11434", "", "ollama"),
    ("vLLM", ("hosted_vllm/",), ("HOSTED_VLLM_API_BASE",), "", "HOSTED_VLLM_API_KEY", ""),
    ("LM Studio", ("lm_studio/",), ("LM_STUDIO_API_BASE",), "http://localhost:1234/v1", "LM_STUDIO_API_KEY", "lms"),
    ("OpenAI-like server", ("openai/",), ("OPENAI_BASE_URL", "OPENAI_API_BASE"), "", "OPENAI_API_KEY", ""),
)


class ServerSilent(Exception):
    """A server returned no list of models; the message gives the reason."""


@dataclass(frozen=True)
class Server:
    """One server.

    Its model names start with `prefix`; `variable` is the environment variable with its address, "" for the default.
    `is_wanted` is true if the user chose this server, so that a missing reply is worth fixing. Otherwise, the server
    only happens to be installed.
    """

    kind: str
    prefix: str
    url: str
    key: str
    variable: str
    is_wanted: bool

    @property
    def address(self) -> str:
        """Return the address without user, password and query, which may contain secrets."""
        parts = self._parts
        return f"{parts.scheme}://{self._host}{parts.path}".rstrip("/")

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.url)

    @property
    def _host(self) -> str:
        return self._parts.netloc.rpartition("@")[2]

    def models(self, seconds: float = ANSWER_SECONDS) -> tuple[str, ...]:
        """Return the names of the models that the server offers. Raises: ServerSilent."""
        parts = self._parts
        path = f"{parts.path.rstrip('/')}/{'api/tags' if self.kind == 'ollama' else 'models'}"
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        # Do not use urllib: it forwards the key on redirects, and may use a proxy for a server on this machine.
        try:
            connection = kind(self._host, timeout=seconds)
            try:
                connection.request("GET", path, headers={"Authorization": f"Bearer {self.key}"} if self.key else {})
                answer = connection.getresponse()
                body = answer.read(ANSWER_BYTES_MAX)
            finally:
                connection.close()
        except (OSError, HTTPException, ValueError) as error:
            # An error about a header includes the header, which contains the key.
            reason = str(error) if isinstance(error, OSError) else type(error).__name__
            raise ServerSilent("it did not answer in time" if isinstance(error, TimeoutError) else reason) from None
        if answer.status != 200:
            raise ServerSilent(f"it answered {answer.status} {answer.reason}")
        return _names(body)


def _names(body: bytes) -> tuple[str, ...]:
    try:
        answer: Any = json.loads(body)
        listed = answer["models"] if "models" in answer else answer["data"]
        names = [str(model.get("name") or model["id"]) for model in listed]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ServerSilent("its answer was not a list of models") from None
    return tuple(" ".join(name.split())[:NAME_CHARACTERS_MAX] for name in names)


def servers(
    environ: Mapping[str, str], model: str, find: Callable[[str], str | None] = shutil.which
) -> tuple[Server, ...]:
    """Return the servers that the environment names, that the chosen model needs, or that are installed locally."""
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


def _url(given: str, variable: str) -> str:
    """Return an address as a URL. OLLAMA_HOST may be just a host, and it is also the address Ollama listens on."""
    url = (given if "://" in given else f"http://{given}").replace("//0.0.0.0", "//127.0.0.1")
    is_host_alone = variable == "OLLAMA_HOST" and "://" not in given and ":" not in given
    return f"{url}:11434" if is_host_alone else url
