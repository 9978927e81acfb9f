"""Finds out what works on this machine, each finding with the way to mend it; keys are named, never shown.

What may take long runs beside the rest and has a limit, so that the whole takes about three seconds at most.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path

from interviewer.chat.providers import default_model, missing_key
from interviewer.chat.servers import Server, ServerSilent, servers
from interviewer.cli import surroundings
from interviewer.cli.checking import Check, Look
from interviewer.errors import EXPECTED_ERRORS
from interviewer.interview.context import Kit
from interviewer.log.errors import LogError
from interviewer.sanitize import MASKED_KEY, masker, printable
from interviewer.session.phrases import counted

__all__ = ["Check", "examine"]
# Without any of these not even an offline interview can be held and kept.
NEEDED = {"python", "content", "practice log"}
LOOK_SECONDS = 2.2
TORCH_SECONDS = 2.0
MODELS_SHOWN_MAX = 8
_NVIDIA = Path("/proc/driver/nvidia/version")


def examine(kit: Kit, environ: Mapping[str, str] = os.environ) -> list[Check]:
    """Return all findings; none of them raises, and none holds a key."""
    beside = [
        Look("torch", LOOK_SECONDS, _torch, "Run the check again; pip install torch mends what is broken."),
        Look("sandbox", LOOK_SECONDS, partial(_engine, kit), f"Check again when Docker is idle. {_without_docker()}"),
        *(
            Look(_name(one), LOOK_SECONDS, partial(_server, one, kit.settings.model), "Check its address.")
            for one in servers(environ, kit.settings.model)
        ),
    ]
    found = [
        _python(),
        surroundings.terminal(environ),
        surroundings.clipboard(environ),
        _content(kit),
        _own_content(kit),
        _log(kit),
        surroundings.disk(kit.folders.data),
        _model(kit, environ),
    ]
    for one in beside:
        found += one.found()
    return [_clean(one, environ) for one in found]


def _clean(check: Check, environ: Mapping[str, str]) -> Check:
    """Return a finding that may be pasted anywhere: names of servers and messages of theirs may hold anything."""
    mask = masker(environ, MASKED_KEY)
    detail, fix = (printable(mask(text)) for text in (check.detail, check.fix))
    return Check(check.name, check.is_ok, detail, fix)


def _python() -> Check:
    return Check("python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.platform()}")


def _content(kit: Kit) -> Check:
    try:
        return Check("content", True, f"{len(kit.questions)} questions, {len(kit.full_tasks)} coding tasks")
    except EXPECTED_ERRORS as error:
        return Check("content", False, error.message, error.fix)


def _own_content(kit: Kit) -> Check:
    questions, tasks = kit.own_questions, kit.own_tasks
    problems = (*questions.problems, *tasks.problems)
    drafts = len(questions.drafts) + len(questions.forms)
    there = f"{len(questions.questions)} questions, {drafts} drafts, {len(tasks.tasks)} coding tasks"
    detail = f"{there}, in {kit.folders.questions} and {kit.folders.tasks.name}/ beside it"
    told = "".join(f"\n      left out: {line}" for line in problems)
    return Check(
        "your own content", not problems, detail + told, "Mend it or move it; interviewer check lists every complaint."
    )


def _log(kit: Kit) -> Check:
    try:
        return Check("practice log", True, f"{counted(len(kit.log.sessions()), 'session')} in {kit.folders.log_file}")
    except LogError as error:
        return Check("practice log", False, error.message, error.fix)


def _torch() -> Sequence[Check]:
    """Ask a child: torch must not be imported into the app's own process."""
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:
        return [Check("torch", False, "not installed", "pip install torch==2.13.0")]
    script = "import torch; print(torch.__version__, 'GPU' if torch.cuda.is_available() else 'no GPU')"
    try:
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            timeout=TORCH_SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        driver = "an NVIDIA driver is here" if _NVIDIA.exists() else "no NVIDIA driver is here"
        return [
            Check("torch", True, f"{version} installed; loading it takes more than {TORCH_SECONDS:g} s now; {driver}")
        ]
    except (OSError, subprocess.SubprocessError) as error:
        return [Check("torch", False, f"cannot be imported ({type(error).__name__})", "pip install torch==2.13.0")]
    return [Check("torch", True, f"{done.stdout.strip()}; the grader's references run on it")]


def _engine(kit: Kit) -> Sequence[Check]:
    from sandbox.docker.engine import connect, engine_errors
    from sandbox.docker.upkeep import status
    from sandbox.job import SandboxError
    from sandbox.process.levels import FORGERY, ISOLATION, best_level

    level = best_level(sys.executable)
    if kit.settings.sandbox == "process":
        return [Check("sandbox", True, f"{ISOLATION[level]} {FORGERY}")]
    try:
        now = status(kit.settings.image or None)
        with connect() as client, engine_errors("asking where the engine keeps its files"):
            folder = str(client.info().get("DockerRootDir") or "its folder")
    except SandboxError as error:
        return [Check("sandbox", False, error.message, f"{error.fix} {_without_docker(level)}")]
    detail = f"Docker {now.engine_version}, image {now.image} {'there' if now.has_image else 'missing'}"
    build = "" if now.has_image else "interviewer sandbox build (once)."
    room = surroundings.docker_disk(folder, has_image=now.has_image)
    return [Check("sandbox", now.has_image, detail, build), room]


def _without_docker(level: str = "") -> str:
    here = f", here at level {level}" if level else ""
    return f"Coding tasks then need --sandbox process{here}; interviews need no sandbox."


def _model(kit: Kit, environ: Mapping[str, str]) -> Check:
    name = kit.settings.model or default_model(environ) or ""
    if not name:
        return Check("model", True, "none chosen: the offline examiner serves, and needs nothing")
    lacks = missing_key(name, environ)
    detail = f"{name}, {f'but {lacks} is not set' if lacks else 'its key is set or none is needed; not called now'}"
    return Check(
        "model", not lacks, detail + _cost(kit), f"Set {lacks}, or unset INTERVIEWER_MODEL for the offline examiner."
    )


def _name(server: Server) -> str:
    return f"model server {server.kind}"


def _server(server: Server, model: str) -> Sequence[Check]:
    """Say which models a server offers, and what to write to have one of them."""
    name = _name(server)
    try:
        offered = server.models()
    except ServerSilent as error:
        detail = f"{server.place} gave no list of models: {error}"
        fix = f"Start it, or mend {server.variable or 'INTERVIEWER_MODEL'}."
        return [
            Check(name, not server.is_wanted, detail if server.is_wanted else f"installed, not running; {detail}", fix)
        ]
    if not offered:
        return [Check(name, not server.is_wanted, f"{server.place} offers no model", "Let it load or fetch a model.")]
    more = f" and {len(offered) - MODELS_SHOWN_MAX} more" if len(offered) > MODELS_SHOWN_MAX else ""
    listed = f"{server.place} offers {', '.join(offered[:MODELS_SHOWN_MAX])}{more}"
    example = f"INTERVIEWER_MODEL={server.prefix}{offered[0]}"
    wanted = model.removeprefix(server.prefix) if model.startswith(server.prefix) else ""
    if wanted and not {wanted, f"{wanted}:latest"} & set(offered):
        return [
            Check(name, False, f"{listed}, but not {wanted}, which is chosen", f"Set {example}, or fetch {wanted}.")
        ]
    chosen = f"{model} is chosen" if wanted else f"{example} chooses the first"
    return [Check(name, True, f"{listed}; {chosen}{_elsewhere(server)}")]


def _elsewhere(server: Server) -> str:
    """Return what is lacking where only ollama's own variable says where it is: the library reads another one."""
    is_own = server.variable == "OLLAMA_HOST" and not server.place.endswith(("//localhost:11434", "//127.0.0.1:11434"))
    return f", with OLLAMA_API_BASE={server.place}" if is_own else ""


def _cost(kit: Kit) -> str:
    """Return what language models have cost in this month; nothing when the log, which says so itself, is broken."""
    from interviewer.chat.paid import month_of
    from interviewer.interview.participants import month_cost_usd

    cap = f" of {kit.settings.month_cap_usd:g}" if kit.settings.month_cap_usd else ""
    try:
        return f"; {month_cost_usd(kit.log, month_of(time.time())):.2f}{cap} USD used this month"
    except LogError:
        return ""
