"""Check what works on this machine, and suggest a fix for each problem. API keys are never shown.

Nothing is changed, except what the user confirms with --fix.

Slow checks run in parallel with a time limit, so that all checks together take at most about three seconds.
"""

from __future__ import annotations

import os
import platform
import re
import select
import shutil
import subprocess
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import IO, Any

import click

from graders.install import installation
from interviewer.chat.local_servers import Server, ServerSilent, servers
from interviewer.chat.providers import default_model, missing_key
from interviewer.chat.spending import month_of
from interviewer.cli.doctor_fix import GPU_IMAGE, IMAGE, offer_fixes, planned_fixes
from interviewer.cli.options import AS_JSON
from interviewer.cli.output import print_json
from interviewer.cli.starting import clear_starting
from interviewer.config import ConfigError, Folders, Settings, find_folders, line_of_setting, settings_or_defaults
from interviewer.errors import EXPECTED_ERRORS, OK, OUR_FAILURE
from interviewer.interview.context import AppContext
from interviewer.interview.participants import month_cost_usd
from interviewer.log.errors import LogError
from interviewer.sanitize import MASKED_KEY, masker, printable
from interviewer.session.phrases import pluralize
from interviewer.tui.ascii import draws_ascii
from interviewer.tui.bindings import find_key_problems
from interviewer.tui.terminal import clipboard_commands, is_remote
from interviewer.tui.themes import THEMES
from sandbox.docker.cleanup import status
from sandbox.docker.engine import connect, engine_errors
from sandbox.docker.gpu import (
    FREE_MIB_MIN,
    VISIBLE,
    Gpu,
    cdi_devices,
    check_toolkit,
    find_gpus,
    has_gpu_runtime,
    leftover,
    lock_folder,
    toolkit_version,
    visible_gpus,
)
from sandbox.docker.image import image_tag
from sandbox.job import SandboxError
from sandbox.process.levels import ISOLATION, Level, best_level, forgery

# Checks that must pass; otherwise, an offline interview cannot be run or saved.
NEEDED = {"python", "content", "practice log"}
CHECK_SECONDS = 2.2
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
TORCH_SECONDS = 2.0
MODELS_SHOWN_MAX = 8
_NVIDIA = Path("/proc/driver/nvidia/version")
TERMINAL_MIN = (60, 15)
GIB = 2**30
LOG_BYTES_MIN = 100 * 2**20
# The image takes 1.1 GB. During the build, the disk has to hold two copies of the image's packages, plus the downloads.
BUILD_BYTES_MIN = 4 * GIB
# A sandbox writes little, but a Docker engine without any free disk space refuses to start it.
CELL_BYTES_MIN = GIB // 2
Find = Callable[[str], str | None]
# Every terminal answers the second query. A terminal that supports the Kitty protocol also answers the first query,
# before it answers the second one.
QUESTION = b"\x1b[?u\x1b[c"
PATIENCE_SECONDS = 0.5
_FIRST_ANSWER = re.compile(rb"\x1b\[\?\d+u")
_LAST_ANSWER = re.compile(rb"\x1b\[\?[\d;]*c")
_KNOWN = "reported in full (Kitty protocol), including shift+enter and ctrl+enter"
_UNKNOWN = (
    "reported in the legacy encoding (for example, shift+enter arrives as enter); "
    "every action has a key that works in this terminal"
)


@click.command()
@click.option("--fix", is_flag=True, help="Set up a language model, and offer fixes that take a single command.")
@AS_JSON
def doctor(fix: bool, as_json: bool) -> int:
    """Show what works on this machine, what does not, and how to fix it.

    --fix asks before each step. Without a terminal, or with --json, it only prints what it would do.

    Exits with 3 only if not even an offline interview can run and be saved.
    """
    folders = find_folders()
    settings, broken = settings_or_defaults(folders, os.environ)
    with AppContext(settings, folders) as context:
        checks = [
            _settings(folders, settings, broken),
            *run_checks(context, os.environ),
            keyboard(sys.stdin, sys.stdout),
        ]
        clear_starting()
        if as_json:
            steps = {"fixes": planned_fixes(context, checks)} if fix else {}
            print_json({"checks": [check.to_json() for check in checks], **steps})
        else:
            _print(checks)
            if fix:
                offer_fixes(context, checks)
    return OUR_FAILURE if any(check.name in NEEDED and not check.is_ok for check in checks) else OK


@dataclass(frozen=True)
class Check:
    """The result of a check. `repair` names the repair that `doctor --fix` offers; "" if there is none."""

    name: str
    is_ok: bool
    detail: str
    fix: str = ""
    repair: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the object that `doctor --json` prints."""
        return {"name": self.name, "ok": self.is_ok, "detail": self.detail, "fix": self.fix}


@dataclass
class BackgroundCheck:
    """A check that starts immediately in a daemon thread, which does not keep the process from exiting."""

    name: str
    seconds: float
    act: Callable[[], Sequence[Check]]
    fix: str
    _result: list[Check] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.seconds
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def result(self) -> list[Check]:
        """Return the results, or a failed check if the time limit was exceeded."""
        self._thread.join(max(0.0, self._end - time.monotonic()))
        if self._thread.is_alive():
            return [Check(self.name, False, f"no answer within {self.seconds:g} s", self.fix)]
        return self._result

    def _run(self) -> None:
        try:
            self._result = list(self.act())
        except Exception as error:
            self._result = [Check(self.name, False, f"check failed: {type(error).__name__}: {error}", self.fix)]


def _print(checks: Sequence[Check]) -> None:
    for check in checks:
        click.echo(f"{'ok  ' if check.is_ok else 'no  '}{check.name}: {check.detail}")
        if not check.is_ok and check.fix:
            click.echo(f"      {check.fix}")


def run_checks(context: AppContext, environ: Mapping[str, str] = os.environ) -> list[Check]:
    """Return the results of all checks. No check raises an exception, and no result contains an API key."""
    beside = [
        BackgroundCheck(
            "torch",
            CHECK_SECONDS,
            _torch,
            "Run the check again. If torch is broken, reinstall it with pip install torch.",
        ),
        BackgroundCheck(
            "sandbox", CHECK_SECONDS, partial(_engine, context), f"Check again when Docker is idle. {_without_docker()}"
        ),
        BackgroundCheck(
            "gpu", CHECK_SECONDS, partial(gpu_checks, context, environ), "Check again when Docker is idle."
        ),
        *(
            BackgroundCheck(
                _name(server), CHECK_SECONDS, partial(_server, server, context.settings.model), "Check its address."
            )
            for server in servers(environ, context.settings.model)
        ),
    ]
    found = [
        _python(),
        terminal(environ),
        clipboard(environ),
        _content(context),
        _own_content(context),
        _log(context),
        disk(context.folders.data),
        _model(context, environ),
    ]
    for check in beside:
        found += check.result()
    return [_clean(check, environ) for check in found]


def _clean(check: Check, environ: Mapping[str, str]) -> Check:
    """Return a result that is safe to paste: server names and messages may contain anything, so secrets are masked."""
    mask = masker(environ, MASKED_KEY)
    detail, fix = (printable(mask(text)) for text in (check.detail, check.fix))
    return replace(check, detail=detail, fix=fix)


def _settings(folders: Folders, settings: Settings, broken: ConfigError | None) -> Check:
    if broken:
        return Check("settings", False, f"{broken.message}; using the defaults instead", broken.fix)
    if problems := list(_unused_settings(folders.config_file, settings)):
        return Check("settings", False, "; ".join(problems), "Change it with interviewer settings, or edit the file.")
    return Check(
        "settings", True, f"{folders.config_file}" if folders.config_file.exists() else "all at their defaults"
    )


def _unused_settings(file: Path, settings: Settings) -> Iterator[str]:
    """Yield a problem for an unknown theme and for each of the user's key bindings that the app ignores."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if settings.theme not in THEMES:
        where = f"{file}:{line_of_setting(text, 'theme')}"
        yield f"{where}: theme: expected one of {', '.join(THEMES)}, got {settings.theme!r}"
    for problem in find_key_problems(settings.keys):
        name = max((name for name in settings.keys if name in problem), key=len)
        yield f"{file}:{line_of_setting(text, name)}: {problem}"


def _python() -> Check:
    return Check("python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.platform()}")


def _content(context: AppContext) -> Check:
    try:
        return Check("content", True, f"{len(context.questions)} questions, {len(context.full_tasks)} coding tasks")
    except EXPECTED_ERRORS as error:
        return Check("content", False, error.message, error.fix)


def _own_content(context: AppContext) -> Check:
    questions, tasks = context.own_questions, context.own_tasks
    problems = (*questions.problems, *tasks.problems)
    counts = (
        pluralize(len(questions.questions), "question"),
        pluralize(len(questions.drafts) + len(questions.forms), "draft"),
        pluralize(len(tasks.tasks), "coding task"),
    )
    detail = f"{', '.join(counts)}, in {context.folders.questions} and {context.folders.tasks.name}/ beside it"
    told = "".join(f"\n      left out: {line}" for line in problems)
    return Check(
        "your own content",
        not problems,
        detail + told,
        "Fix or move the file. To list all problems, run interviewer check.",
    )


def _log(context: AppContext) -> Check:
    try:
        detail = f"{pluralize(len(context.log.sessions()), 'session')} in {context.folders.log_file}"
        return Check("practice log", True, ". ".join((detail, *context.log.notices)))
    except LogError as error:
        return Check("practice log", False, error.message, error.fix)


def _torch_command() -> str:
    """Return the command that installs torch; without an NVIDIA driver, PyTorch's own index has a smaller build."""
    is_large = sys.platform == "linux" and not _NVIDIA.exists()
    return "pip install torch==2.13.0" + f" --extra-index-url {CPU_INDEX}" * is_large


def _torch() -> Sequence[Check]:
    """Check torch in a child process, because the app's own process must not import it."""
    if running := installation():
        if running.error:
            return [Check("torch", False, f"could not be installed: {running.error}", _torch_command())]
        return [Check("torch", True, f"{running.text}; grading starts after the installation")]
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:
        return [Check("torch", False, "not installed", _torch_command())]
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
        driver = "NVIDIA driver found" if _NVIDIA.exists() else "no NVIDIA driver found"
        return [
            Check(
                "torch",
                True,
                f"{version} installed, but importing it takes more than {TORCH_SECONDS:g} s right now; {driver}",
            )
        ]
    except (OSError, subprocess.SubprocessError) as error:
        return [Check("torch", False, f"cannot be imported ({type(error).__name__})", _torch_command())]
    return [Check("torch", True, f"{done.stdout.strip()}; used to run the grader's references")]


def _engine(context: AppContext) -> Sequence[Check]:

    level = best_level(sys.executable)
    if context.settings.sandbox == "process":
        return [Check("sandbox", True, f"{ISOLATION[level]} {forgery(level)}")]
    try:
        now = status(context.settings.image or None)
        with connect() as client, engine_errors("asking Docker where it stores its data"):
            folder = str(client.info().get("DockerRootDir") or "its folder")
    except SandboxError as error:
        return [Check("sandbox", False, error.message, f"{error.fix} {_without_docker(level)}")]
    detail = f"Docker {now.engine_version}, image {now.image} {'found' if now.has_image else 'missing'}"
    build = "" if now.has_image else "Run interviewer sandbox build once."
    room = docker_disk(folder, has_image=now.has_image)
    return [Check("sandbox", now.has_image, detail, build, "" if now.has_image else IMAGE), room]


def gpu_checks(
    context: AppContext, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> Sequence[Check]:
    """Check what GPU grading requires: a driver, torch with CUDA outside Docker, and Docker's toolkit and our image."""
    if platform == "darwin":
        return [Check("gpu", True, "Apple GPUs (MPS) are not supported: tasks are graded on the CPU")]
    gpus = find_gpus()
    if not gpus:
        return [Check("gpu", True, "no NVIDIA GPU found: tasks are graded on the CPU")]
    checks = [_gpu_driver(gpus, environ), _gpu_torch()]
    if context.settings.sandbox == "process":
        return [*checks, Check("gpu sandbox", True, f"on a GPU, --sandbox process means: {ISOLATION[Level.PLAIN]}")]
    return [*checks, *_gpu_in_docker(context)]


def _gpu_driver(gpus: Sequence[Gpu], environ: Mapping[str, str]) -> Check:
    """Report the GPUs with their free memory, and whether grading can use one of them."""
    visible = visible_gpus(gpus, environ)
    found = ", ".join(_gpu_text(gpu, is_visible=gpu in visible) for gpu in gpus)
    detail = f"{found}; --device cuda grades on one GPU; tasks with several ranks use gloo on the CPU"
    is_ok = any(gpu.free_mib >= FREE_MIB_MIN for gpu in visible)
    fix = f"Free at least {FREE_MIB_MIN} MiB on a GPU" + (f", or change {VISIBLE}." if VISIBLE in environ else ".")
    return Check("gpu", is_ok, detail, fix)


def _gpu_text(gpu: Gpu, *, is_visible: bool) -> str:
    hidden = "" if is_visible else f"hidden by {VISIBLE}"
    notes = filter(None, (f"{gpu.free_mib} MiB free", hidden, leftover(gpu, lock_folder())))
    return f"GPU {gpu.number} {gpu.name} ({', '.join(notes)})"


def _gpu_torch() -> Check:
    """Check whether torch in this environment was built with CUDA; in Docker, the image has its own torch."""
    name, uses = "gpu torch", "for the memory lab and --sandbox process on a GPU"
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:
        return Check(name, False, f"torch is not installed; it is needed {uses}", _torch_command())
    if version.endswith("+cpu"):
        fix = "Run pip install --force-reinstall torch==2.13.0, which downloads several gigabytes of CUDA libraries."
        return Check(name, False, f"torch {version} was built without CUDA; CUDA is needed {uses}", fix)
    return Check(name, True, f"torch {version} {uses}")


def _gpu_in_docker(context: AppContext) -> Iterator[Check]:
    """Yield a check for everything that Docker needs to give a container a GPU."""
    plain = "--device cuda --sandbox process works without Docker, but then submitted code can change your files."
    version = toolkit_version()
    text = ".".join(map(str, version)) if version else "version unknown, so it was not checked for CVE-2025-23266"
    try:
        check_toolkit(version)
        yield Check("gpu toolkit", True, f"NVIDIA Container Toolkit {text}")
    except SandboxError as error:
        yield Check("gpu toolkit", False, error.message, error.fix)
    try:
        with connect() as client, engine_errors("asking Docker which GPUs it exposes"):
            info = client.info()
        image = status(context.settings.image or image_tag(device="cuda"))
    except SandboxError as error:
        yield Check("gpu in Docker", False, error.message, f"{error.fix} {plain}")
        return
    way = "through CDI" if cdi_devices(info) else "through the nvidia runtime"
    fix = f"Run sudo nvidia-ctk runtime configure --runtime=docker, and restart Docker. {plain}"
    has_runtime = has_gpu_runtime(info)
    detail = f"Docker exposes GPUs {way}" if has_runtime else "Docker exposes no GPUs to containers"
    yield Check("gpu in Docker", has_runtime, detail, fix)
    detail = f"image {image.image} {'found' if image.has_image else 'missing'}"
    fix = f"Run interviewer sandbox build --cuda once. {plain}"
    yield Check("gpu image", image.has_image, detail, fix, "" if image.has_image else GPU_IMAGE)


def _without_docker(level: str = "") -> str:
    here = f" (level {level} here)" if level else ""
    return f"Without Docker, coding tasks need --sandbox process{here}; interviews need no sandbox."


def _model(context: AppContext, environ: Mapping[str, str]) -> Check:
    name = context.settings.model or default_model(environ) or ""
    if not name:
        detail = "none set: using the offline examiner, which needs no setup; interviewer doctor --fix sets up a model"
        return Check("model", True, detail)
    lacks = missing_key(name, environ)
    detail = f"{name}, {f'but {lacks} is not set' if lacks else 'its API key is set or not needed; no call was made'}"
    return Check(
        "model",
        not lacks,
        detail + _cost(context),
        f"Set {lacks}, or unset INTERVIEWER_MODEL for the offline examiner.",
    )


def _name(server: Server) -> str:
    return f"model server {server.kind}"


def _server(server: Server, model: str) -> Sequence[Check]:
    """Report which models a server offers, and the setting that selects one of them."""
    name = _name(server)
    try:
        offered = server.models()
    except ServerSilent as error:
        detail = f"{server.address} did not return a list of models: {error}"
        fix = f"Start the server, or fix {server.variable or 'INTERVIEWER_MODEL'}."
        return [
            Check(name, not server.is_wanted, detail if server.is_wanted else f"installed, not running; {detail}", fix)
        ]
    if not offered:
        return [
            Check(
                name,
                not server.is_wanted,
                f"{server.address} offers no models",
                "Load or download a model on that server.",
            )
        ]
    more = f" and {len(offered) - MODELS_SHOWN_MAX} more" if len(offered) > MODELS_SHOWN_MAX else ""
    listed = f"{server.address} offers {', '.join(offered[:MODELS_SHOWN_MAX])}{more}"
    example = f"INTERVIEWER_MODEL={server.prefix}{offered[0]}"
    wanted = model.removeprefix(server.prefix) if model.startswith(server.prefix) else ""
    if wanted and not {wanted, f"{wanted}:latest"} & set(offered):
        return [
            Check(
                name, False, f"{listed}, but not the selected model {wanted}", f"Set {example}, or download {wanted}."
            )
        ]
    chosen = f"{model} is selected" if wanted else f"set {example} to use the first model"
    return [Check(name, True, f"{listed}; {chosen}")]


def _cost(context: AppContext) -> str:
    """Return this month's language-model cost; "" if the log is corrupt, which a different check reports."""

    cap = f" of {context.settings.month_cap_usd:g}" if context.settings.month_cap_usd else ""
    try:
        return f"; {month_cost_usd(context.log, month_of(time.time())):.2f}{cap} USD used this month"
    except LogError:
        return ""


def terminal(environ: Mapping[str, str]) -> Check:
    """Check whether the app fits in the terminal, and report the terminal's colors and character set."""
    letters = "ASCII only, because of the locale" if draws_ascii(environ) else "UTF-8"
    if not sys.stdout.isatty():
        return Check(
            "terminal", True, f"standard output is not a terminal ({letters}); the plain interview (--plain) works"
        )
    columns, rows = shutil.get_terminal_size()
    is_large = columns >= TERMINAL_MIN[0] and rows >= TERMINAL_MIN[1]
    detail = f"{columns}×{rows}, {colours(environ)}, {letters}, TERM={environ.get('TERM', 'unset')}"
    return Check("terminal", is_large, detail, "Enlarge the window to at least 60×15, or use --plain.")


def colours(environ: Mapping[str, str]) -> str:
    """Return the number of colors that the terminal claims to support."""
    kind = environ.get("TERM", "")
    if environ.get("NO_COLOR"):
        return "no colors (NO_COLOR is set)"
    if environ.get("COLORTERM") in {"truecolor", "24bit"}:
        return "16 million colors"
    if kind in {"", "dumb", "unknown"}:
        return "no colors"
    return "256 colors" if "256color" in kind else "16 colors"


def clipboard(environ: Mapping[str, str], find: Find = shutil.which, platform: str = sys.platform) -> Check:
    """Report how the app copies text on this machine: with a desktop tool, tmux, or the terminal itself."""
    wanted = [command[0] for command in clipboard_commands(environ, platform)]
    there = [name for name in wanted if find(name)]
    if there:
        return Check("clipboard", True, f"by {there[0]}")
    where = "over SSH" if is_remote(environ) else "no desktop clipboard tool found"
    more = f"; install {wanted[0]} if copying does not work" if wanted else ""
    return Check("clipboard", True, f"through the terminal, if it allows OSC 52: {where}{more}")


def disk(folder: Path) -> Check:
    """Check whether there is enough disk space for the practice log."""
    there = next((parent for parent in (folder, *folder.parents) if parent.exists()), Path("/"))
    free = shutil.disk_usage(there).free
    fix = "Free some space there, or set INTERVIEWER_HOME to a folder on a different disk."
    return Check("disk", free >= LOG_BYTES_MIN, f"{_size(free)} free for the practice log in {folder}", fix)


def docker_disk(folder: str, *, has_image: bool) -> Check:
    """Check whether the Docker engine has enough disk space for the sandbox image (if not built yet) and for cells."""
    name, wanted = "docker disk", CELL_BYTES_MIN if has_image else BUILD_BYTES_MIN
    what = "to start containers" if has_image else "to build the sandbox image"
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        # Docker Desktop and remote engines store their files on a different (virtual) machine.
        detail = f"{folder} is on a different machine, where {_size(wanted)} must be free {what}"
        return Check(name, True, f"{detail}; docker system df shows disk usage")
    detail = f"{_size(free)} free in {folder}, {_size(wanted)} needed {what}"
    return Check(name, free >= wanted, detail, "docker system df shows disk usage; docker system prune frees space.")


def _size(size_bytes: int) -> str:
    return f"{size_bytes / GIB:.1f} GiB" if size_bytes >= GIB else f"{size_bytes / 2**20:.0f} MiB"


def keyboard(keys: IO[Any], screen: IO[Any]) -> Check:
    """Ask the terminal about its keyboard protocol. Must not be called while the app reads from the terminal."""
    if not (keys.isatty() and screen.isatty()):
        return Check("keyboard", True, "not checked: not running in a terminal")
    reply = _asked(keys.fileno(), screen.fileno())
    if not _LAST_ANSWER.search(reply):
        return Check("keyboard", True, f"the terminal did not answer the query; keys are assumed to be {_UNKNOWN}")
    return Check("keyboard", True, f"keys are {_KNOWN if _FIRST_ANSWER.search(reply) else _UNKNOWN}")


def _asked(read_from: int, write_to: int) -> bytes:
    """Return the terminal's responses to both queries.

    Late responses are discarded, so that they do not appear as typed text.
    """
    before = termios.tcgetattr(read_from)
    reply, end = b"", time.monotonic() + PATIENCE_SECONDS
    try:
        tty.setcbreak(read_from, termios.TCSAFLUSH)
        os.write(write_to, QUESTION)
        while not _LAST_ANSWER.search(reply):
            if not select.select([read_from], [], [], max(0.0, end - time.monotonic()))[0]:
                break
            reply += os.read(read_from, 256)
    finally:
        termios.tcsetattr(read_from, termios.TCSAFLUSH, before)
    return reply
