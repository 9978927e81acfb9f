"""Run an interview on standard input and output: lines with role labels, no boxes and no escape codes."""

from __future__ import annotations

import io
import re
import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Protocol, TextIO

from graders.install import installation
from interviewer.cli.files import read_source
from interviewer.cli.starting import clear_starting
from interviewer.errors import BadInput, InterviewerError, journal
from interviewer.interview.challenge import solution_text
from interviewer.interview.runner import Interview
from interviewer.interview.teaching import Teacher
from interviewer.log.errors import LogError
from interviewer.sanitize import printable
from interviewer.session import phrases
from interviewer.session.assessment import State
from interviewer.session.debrief import plain_debrief, summary_section, without_escapes
from interviewer.session.move import Move
from interviewer.session.policy import hint_price
from interviewer.session.revisions import take_back_refusal
from interviewer.session.state import Awaiting, SelfMark, Session

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext

GUIDE = (
    "End an answer with a line that contains only a dot. Commands: /hint, /skip, /back, /end, /submit FILE. "
    "/back retracts your last answer (once per question). Except on the opening question, your new answer then "
    "earns half credit. "
    "Everything is saved as you go; resume with --resume."
)

OFFER_GUIDE = "/next asks one more question; /end shows the debrief."
RESUME = "interviewer interview --plain --resume"

# Unlike "wording", "speaking" means that the beginning of the message has already been printed.
_MODEL_WAITS = {
    "judging": "waiting for the model to judge your answer; Ctrl+C lets the offline examiner judge it",
    "wording": "waiting for the model to reply",
    "speaking": "waiting for the model to reply",
}
# If the model answers within this time, no line is printed.
MODEL_WAIT_SECONDS = 1.0


class PlainFrontend:
    """The front end for plain mode: prints all output without terminal control characters.

    If the model takes longer than `MODEL_WAIT_SECONDS`, the timer thread prints one line that says so. The timer is
    stopped before anything else is printed on `out`.
    """

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self._out = out
        self._err = err
        self._timer: threading.Timer | None = None
        self._timer_lock = threading.Lock()
        self._column = 0
        self._gap = ""
        self._half_word = ""

    def say(self, text: str, end: str = "\n") -> None:
        """Print text, word-wrapped to the terminal's width; without a terminal, print it unwrapped."""
        self._stop_timer()
        self._print(text, end)

    def _print(self, text: str, end: str = "\n") -> None:
        self._write(printable(text) + end)
        self._write_word()
        self._write_gap()
        self._out.flush()

    def _write(self, text: str) -> None:
        """Write complete words; the last word is held back, because a stream may split words anywhere.

        Spaces are also held back, because the terminal would show spaces after a full line as an empty line.
        """
        for piece in re.findall(r"\n| +|[^ \n]+", text):
            if piece[0] not in " \n":
                self._half_word += piece
                continue
            self._write_word()
            if piece == "\n":
                self._gap = "" if terminal_width(self._out) else self._gap
                self._write_gap()
                self._out.write(piece)
                self._column = 0
            else:
                self._gap += piece

    def _write_word(self) -> None:
        word, self._half_word = self._half_word, ""
        if not word:
            return
        width = terminal_width(self._out)
        if width and self._column and self._column + len(self._gap) + len(word) > width:
            self._out.write("\n")
            self._column, self._gap = 0, ""
        self._write_gap()
        self._out.write(word)
        self._column += len(word)

    def _write_gap(self) -> None:
        gap, self._gap = self._gap, ""
        self._out.write(gap)
        self._column += len(gap)

    def begin_message(self, move: Move) -> None:
        """Print the label of a message from the interviewer."""
        self.say(f"\nInterviewer ({move.kind.value}): ", end="")

    def stream_text(self, text: str) -> None:
        """Print the next piece of a message."""
        self._stop_timer()
        self._write(printable(text))
        self._out.flush()

    def end_message(self) -> None:
        """Print the line break that ends the message."""
        self.say("")

    def show_busy(self, what: str) -> None:
        """Print what the candidate is waiting for; offline judging is too fast to be worth a line."""
        self._stop_timer()
        if what == "installing" and (running := installation()):
            self.say(f"\n({running.text}; your code is graded after that …)")
        elif what == "grading":
            self.say("\n(grading …)")
        elif what in _MODEL_WAITS:
            self._start_timer(_MODEL_WAITS[what], has_begun=what == "speaking")

    def _start_timer(self, text: str, *, has_begun: bool) -> None:
        # If a message has begun, the empty line before it has already been printed.
        line = f"({text} …)\n" if has_begun else f"\n({text} …)"
        timer = threading.Timer(MODEL_WAIT_SECONDS, lambda: self._print_wait(timer, line))
        timer.daemon = True
        with self._timer_lock:
            self._timer = timer
        timer.start()

    def _print_wait(self, timer: threading.Timer, line: str) -> None:
        with self._timer_lock:
            if self._timer is timer:
                self._timer = None
                self._print(line)

    def _stop_timer(self) -> None:
        """Stop the timer.

        After this call, the timer thread prints nothing, because it holds the lock while it prints.
        """
        with self._timer_lock:
            timer, self._timer = self._timer, None
        if timer:
            timer.cancel()

    def show_model_wait(self, seconds: float) -> None:
        """Print nothing: the notice already states the wait, and a screen reader would read a countdown aloud."""
        self._stop_timer()

    def notice(self, text: str) -> None:
        """Print a note on standard error."""
        self._err.write(f"{wrapped(f'note: {printable(text)}', self._err)}\n")
        self._err.flush()


def wrapped(text: str, out: TextIO) -> str:
    """Return the text, wrapped at words to the width of a terminal; for a file or a pipe, it is unchanged."""
    width = terminal_width(out)
    lines = text.split("\n")
    return text if not width else "\n".join(textwrap.fill(line, width, break_on_hyphens=False) for line in lines)


def terminal_width(out: TextIO) -> int:
    """Return the width of the terminal in columns; 0 for a file or a pipe."""
    return shutil.get_terminal_size().columns if out.isatty() else 0


class PlainHooks(Protocol):
    """Adds commands to an interview, and text before each of the candidate's turns."""

    def before_turn(self) -> str:
        """Return the text to print before the candidate's turn."""
        ...

    def handle_command(self, text: str) -> str | None:
        """Return the reply to a command, or None if the text is for the interview."""
        ...


class PassedTaskHooks:
    """Adds /solution to an interview, for the task that was just passed."""

    def __init__(self, interview: Interview, context: AppContext) -> None:
        self._interview = interview
        self._app_context = context

    def before_turn(self) -> str:
        """Return a note on /solution if there is a solution to show."""
        return "(/solution shows the reference) " if self._has_passed else ""

    def handle_command(self, text: str) -> str | None:
        """Return the reply to /solution, or None if the text is for the interview."""
        if text != "/solution":
            return None
        if not self._has_passed:
            return "The solution unlocks once you pass the task."
        work = self._interview.session.work
        return solution_text(self._app_context.task(work.task), work)

    @property
    def _has_passed(self) -> bool:
        return self._interview.session.has_passed_task


def run_plain_interview(
    interview: Interview,
    lines: TextIO = sys.stdin,
    out: TextIO = sys.stdout,
    err: TextIO = sys.stderr,
    hooks: PlainHooks | None = None,
) -> bool:
    """Run the interview until the interview or the input ends; return whether the interview ended."""
    clear_starting()
    frontend, has_ended = PlainFrontend(out, err), threading.Event()
    if isinstance(lines, io.TextIOWrapper):
        # Replace undecodable bytes with U+FFFD instead of ending the interview.
        lines.reconfigure(errors="replace")
    _greet(interview, frontend)
    if interview.live:
        threading.Thread(target=interview.live.watch, args=(frontend.notice, has_ended), daemon=True).start()
    try:
        with _judged_offline_on_interrupt(interview):
            return _converse(interview, frontend, _read_answers(lines, interview, frontend), hooks)
    except KeyboardInterrupt:
        frontend.say(f"\nStopped. The session is saved. Resume it: {RESUME} {interview.session.id}")
        raise
    finally:
        has_ended.set()
        # If the log cannot be used, the caller gets the error that ended the interview instead of this one.
        with suppress(LogError):
            interview.save_clock()


@contextmanager
def _judged_offline_on_interrupt(interview: Interview) -> Iterator[None]:
    """Let Ctrl+C stop the model's judgment of an answer; a second Ctrl+C stops the interview."""
    # Python allows only the main thread to set signal handlers.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier = signal.getsignal(signal.SIGINT)
    handed_over = -1

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal handed_over
        turn = len(interview.session.transcript)
        if interview.is_model_judging and turn != handed_over:
            handed_over = turn
            interview.judge_offline()
        elif callable(earlier):
            earlier(number, frame)

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, earlier or signal.SIG_DFL)


def say_summary(teacher: Teacher, session: Session, out: TextIO = sys.stdout, err: TextIO = sys.stderr) -> None:
    """Ask the model for a summary of the finished session, and print it; without a model, say what is missing."""
    if not teacher.wants_summary(session):
        return
    frontend = PlainFrontend(out, err)
    if why := teacher.why_no_model(session):
        frontend.say(f"\n{why}")
        return
    frontend.say("\n(waiting for the model to write a summary …)")
    try:
        summary = teacher.summarize(session)
    except InterviewerError as error:
        frontend.notice(f"No summary: {error.message} {error.fix}{journal.id_note(error)}")
        return
    lines = "\n".join(summary_section(replace(session, summary=summary)))
    frontend.say("\n" + (without_escapes(lines) or phrases.NO_SUMMARY))


def _converse(interview: Interview, frontend: PlainFrontend, said: Iterator[str], hooks: PlainHooks | None) -> bool:
    shown_part, marked_part, price = -1, -1, ""
    while True:
        interview.run_until_input(frontend)
        session = interview.session
        if session.is_over:
            frontend.say("\n" + plain_debrief(session), end="")
            if interview.usage_text:
                frontend.say(f"\nModel: {interview.usage_text}")
            return True
        if session.awaiting is Awaiting.SUBMISSION and session.part != shown_part:
            shown_part = session.part
            frontend.say("\n" + session.task(session.work.task).statement.strip())
        if session.awaiting is Awaiting.SELF_MARKS and session.part != marked_part:
            marked_part = session.part
            frontend.say(_self_mark_list(session))
        if not session.is_challenge and (now := hint_price(session)) != price:
            price = now
            if price:
                frontend.say(f"\n(hint: {price})")
        if session.awaiting is Awaiting.OFFER:
            frontend.say(OFFER_GUIDE)
        frontend.say(f"\n{hooks.before_turn() if hooks else ''}You: ", end="")
        text = next(said, None)
        if text is None and session.awaiting is Awaiting.OFFER:
            # All planned parts are done, so if a script's input ends here, end the session and show its debrief.
            frontend.say("")
            interview.end()
            continue
        if text is None:
            frontend.say(f"\nInput ended. The session is saved. Resume it: {RESUME} {session.id}")
            return False
        if told := hooks.handle_command(text) if hooks else None:
            frontend.say(f"\n{told}")
        else:
            _take(interview, text, frontend)


def _greet(interview: Interview, frontend: PlainFrontend) -> None:
    frontend.say(GUIDE)
    frontend.say(f"Session {interview.session.id}, {interview.session.plan.minutes:.0f} minutes.")
    if interview.live:
        frontend.say(
            f"An observer can now join and watch you type: {interview.live.invitation} (/close ends observing)"
        )
    if interview.session.transcript and interview.session.awaiting is not Awaiting.WORDS:
        frontend.say(f"\nInterviewer: {interview.session.last_said(by_interviewer=True)}")
    if draft := interview.draft("answer"):
        frontend.say(f"\nYour unsent draft, which you can continue:\n{draft}")
        _say_limit(draft, frontend)


def _say_limit(typed: str, frontend: PlainFrontend) -> bool:
    """Warn if the end of an unsent answer would not be judged, and return whether the warning was shown."""
    note = phrases.limit_note(len(typed))
    if note:
        frontend.notice(f"{note}. A line that contains only a dot sends the answer.")
    return bool(note)


def _read_answers(lines: TextIO, interview: Interview, frontend: PlainFrontend) -> Iterator[str]:
    """Yield each answer or command; the clock and the lines of an unfinished answer are saved after each line.

    If an answer becomes longer than the part that is judged, a note is printed, once per answer.

    A command is accepted only before the first line of an answer, because an answer can contain lines that begin with a
    slash. The lines of a resumed draft do not count as the beginning of an answer, so a command is still accepted after
    them.
    """
    typed = interview.draft("answer").splitlines()
    has_begun = is_told = False
    for line in lines:
        interview.save_clock()
        stripped = line.rstrip("\r\n")
        if not has_begun and stripped.startswith("/"):
            before = interview.session.part, interview.session.awaiting
            yield stripped
            if typed and (interview.session.part, interview.session.awaiting) != before:
                # The resumed draft was for a question that is over.
                typed = []
                interview.save_draft("answer", "")
        elif stripped == ".":
            yield "\n".join(typed)
            typed, has_begun, is_told = [], False, False
            interview.save_draft("answer", "")
        else:
            typed.append(stripped)
            has_begun = True
            interview.save_draft("answer", "\n".join(typed))
            is_told = is_told or _say_limit("\n".join(typed), frontend)


def _take(interview: Interview, text: str, frontend: PlainFrontend) -> None:
    commands: dict[str, Callable[[], None]] = {"/hint": interview.hint, "/skip": interview.skip, "/end": interview.end}
    word, _, rest = text.partition(" ")
    awaiting = interview.session.awaiting
    if awaiting is Awaiting.OFFER:
        _take_offer(interview, word, frontend)
    elif word == "/close" and interview.live:
        interview.end_live()
        frontend.notice("The session is now closed to observers. The observers' token is no longer valid.")
    elif word == "/back":
        _take_back(interview, frontend)
    elif word == "/appeal" and awaiting is Awaiting.SELF_MARKS:
        _appeal(interview, rest.strip(), frontend)
    elif word == "/end" or (word in commands and awaiting is not Awaiting.SELF_MARKS):
        commands[word]()
    elif word == "/submit" and awaiting is Awaiting.SUBMISSION:
        _submit(interview, rest.strip(), frontend)
    elif text.startswith("/") and "\n" not in text:
        known = "/appeal NUMBER REASON, /end" if awaiting is Awaiting.SELF_MARKS else "/hint, /skip, /back, /end"
        extra = ", /submit FILE" if awaiting is Awaiting.SUBMISSION else ""
        frontend.notice(
            f"{word} is not available here. Use {known}{extra}, "
            "or type text and end it with a line that contains only a dot"
        )
    elif awaiting is Awaiting.SELF_MARKS:
        _mark(interview, text, frontend)
    else:
        interview.answer(text)


def _take_offer(interview: Interview, word: str, frontend: PlainFrontend) -> None:
    interview.save_draft("answer", "")
    if word.casefold() in {"/next", "yes", "y"}:
        interview.ask_more()
    elif word.casefold() in {"/end", "/skip", "no", "n", ""}:
        interview.end()
    else:
        frontend.notice(OFFER_GUIDE)


def _take_back(interview: Interview, frontend: PlainFrontend) -> None:
    session = interview.session
    if why := take_back_refusal(session):
        frontend.notice(why)
        return
    interview.take_back(session.last_said(by_interviewer=False))
    frontend.notice(f"{phrases.TAKEN_BACK_LATE} You were asked: {interview.session.last_said(by_interviewer=True)}")


def _submit(interview: Interview, name: str, frontend: PlainFrontend) -> None:
    if not name:
        frontend.notice("/submit needs a file: /submit FILE")
        return
    try:
        interview.submit(read_source(Path(name).expanduser()))
    except BadInput as error:
        frontend.notice(str(error))


def _self_mark_list(session: Session) -> str:
    question, drill = session.question(session.drill.question), session.drill
    lines = ["", "Your own marks. This question's points, and what I heard:"]
    for number, point in enumerate(question.points, 1):
        credit = drill.credit_of(point.id)
        heard = f"{phrases.HEARD[credit.state]} “{' '.join(credit.quote.split())}”" if credit else "not heard"
        lines.append(f"  {number}. {point.for_judge} [{heard}]")
    lines.append(
        "Type the numbers of the points you covered, then a line with just a dot. "
        "To keep the points I heard, type just the dot."
    )
    lines.append("Is a finding wrong? Log the reason with /appeal NUMBER REASON. An appeal does not change the result.")
    return "\n".join(lines)


def _appeal(interview: Interview, text: str, frontend: PlainFrontend) -> None:
    number, _, why = text.partition(" ")
    question = interview.session.question(interview.session.drill.question)
    if not (number.isdecimal() and 1 <= int(number) <= len(question.points)):
        frontend.notice(f"/appeal needs a point number from 1 to {len(question.points)} and a reason; got {text!r}")
        return
    interview.appeal(question.id, question.points[int(number) - 1].id, why.strip())
    frontend.notice(f"Appeal on point {number}: {why.strip() or 'withdrawn'}")


def _mark(interview: Interview, text: str, frontend: PlainFrontend) -> None:
    question, drill = interview.session.question(interview.session.drill.question), interview.session.drill
    words = text.replace(",", " ").split()
    numbers = {str(number) for number in range(1, len(question.points) + 1)}
    unknown = [word for word in words if word not in numbers]
    if unknown:
        frontend.notice(f"{unknown[0]!r} is not a point number; expected numbers from 1 to {len(question.points)}")
        return
    marks = []
    for number, point in enumerate(question.points, 1):
        is_covered = str(number) in words if words else drill.is_credited(point.id)
        marks.append(SelfMark(point.id, State.SHOWN if is_covered else State.MISSING))
    interview.save_draft("answer", "")
    interview.mark(tuple(marks))
