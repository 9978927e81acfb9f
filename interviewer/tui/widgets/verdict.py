"""The verdict on a submission, and the list of all attempts at a task. Failing cases come first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from graders.verdict import Failed, Report, Verdict, failed_cases
from interviewer.session.phrases import cases_passed, diagnosis, verdict_text
from interviewer.session.state import Attempt
from interviewer.tui.text_format import minutes_text, printable, shortened

MESSAGE_CHARACTERS_MAX = 600
PRINTED_CHARACTERS_MAX = 1_500
CODE_CHARACTERS_MAX = 200
# How the grader refers to the line of the submission that raised an exception.
_RAISED_IN_LINE = re.compile(r"\braised \S+ in line (\d+)\b")
NONE_YET = "No attempts yet. Submit with ctrl+s, as often as you like."
NONE_MADE = "No submissions."


class VerdictView(VerticalScroll):
    """The verdict on an attempt; hidden if there is no verdict."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("i", "isolation", "Show how the code was sandboxed", show=False)]

    def __init__(self) -> None:
        super().__init__(id="verdict")
        self._attempts: Sequence[Attempt] = ()
        self._is_isolation_whole = False
        self._is_named = True

    def compose(self) -> ComposeResult:
        """Yield the text."""
        yield Static("", id="verdict-text", markup=False)

    def show(self, attempts: Sequence[Attempt], *, is_named: bool = True) -> None:
        """Show the verdict on the last attempt; the diagnosis is only shown if `is_named`.

        If nothing has changed, the scroll position stays.
        """
        if (attempts, is_named) != (self._attempts, self._is_named):
            self._attempts, self._is_named = attempts, is_named
            self._draw()
            self.scroll_home(animate=False)

    def _draw(self) -> None:
        attempts = self._attempts
        attempt = attempts[-1] if attempts else None
        has_verdict = attempt is not None and (attempt.report is not None or bool(attempt.failure))
        self.set_class(has_verdict, "-shown")
        if attempt is not None and has_verdict:
            content = verdict_content(
                attempt, _number(attempts), is_named=self._is_named, is_isolation_whole=self._is_isolation_whole
            )
            self.query_one("#verdict-text", Static).update(content)

    def action_isolation(self) -> None:
        """Toggle between a summary and the full details of the isolation."""
        self._is_isolation_whole = not self._is_isolation_whole
        self._draw()
        self.scroll_end(animate=False)


def verdict_content(
    attempt: Attempt, number: int, *, is_named: bool = True, is_isolation_whole: bool = False
) -> Content:
    """Return the verdict on an attempt: the failing cases, worst first, then the output of the code."""
    if attempt.report is None:
        failure = printable(attempt.failure)
        return Content("\n").join(
            [
                Content.styled(f"#{number} ungraded", "bold $text-warning"),
                Content(f"The grader failed, not your code: {failure}"),
            ]
        )
    report = attempt.report
    failed = failed_cases(report)
    if not attempt.has_loaded:
        headline = Content.styled("✗ Did not load · not counted as a submission", "bold $text-error")
        return Content("\n").join([headline, Content(""), Content(_safe(failed[0].message))])
    lines = [_headline(report, number), Content.styled(_figures(report), "$secondary")]
    for label, text in diagnosis(report) if is_named else ():
        lines += [Content(""), Content.assemble((f"{_safe(label)}: ", "bold"), _safe(text))]
    for case in failed:
        lines += [Content(""), *_failed_lines(case, attempt.source)]
    if report.stdout:
        printed = shortened(printable(report.stdout.rstrip()), PRINTED_CHARACTERS_MAX)
        lines += [Content(""), Content.styled("Your code's output, by case", "bold"), Content(printed)]
    # The line about the isolation comes last, because its text is always the same, and some sandboxes have a long list
    # of things that they do not prevent.
    isolation, _, rest = printable(report.isolation).partition(":")
    shown = f"{isolation}:{rest}" if is_isolation_whole and rest else isolation + " (i: details)" * bool(rest)
    lines += [Content(""), Content.styled(f"Isolation: {shown}", "$secondary")]
    return Content("\n").join(lines)


def _headline(report: Report, number: int) -> Content:
    text = f"#{number} {verdict_text(report.verdict)} · {cases_passed(report)}"
    if report.verdict is Verdict.PASSED:
        return Content.styled(f"✓ {text}", "bold $text-success")
    return Content.styled(f"✗ {text}", "bold $text-error")


def _figures(report: Report) -> str:
    seconds = report.seconds.get("verdict")
    took = "" if seconds is None else f" · {seconds:.1f} s"
    return f"score {report.score:.2f}{took} · seed {report.seed}"


def _failed_lines(failed: Failed, source: str) -> list[Content]:
    names = f"✗ {printable(', '.join(failed.names))}"
    name = Content.assemble((names, "bold"), (f"  {verdict_text(failed.verdict)}", "$text-error"))
    said, *rest = _safe(failed.message).split("\n")
    lines = [name, Content(f"  {said}")]
    if code := _raising_line(failed.message, source):
        lines.append(Content(f"      {code}"))
    lines += [Content(f"  {line}") for line in rest]
    if failed.inputs:
        lines.append(Content.styled("  inputs: " + _safe(failed.inputs), "$secondary"))
    return lines


def _raising_line(message: str, source: str) -> str:
    """Return the line of the submission that raised an exception; "" if the message does not name a line."""
    found, code = _RAISED_IN_LINE.search(message), re.split(r"\r\n|\r|\n", source)
    number = int(found[1]) if found else 0
    return printable(code[number - 1].strip())[:CODE_CHARACTERS_MAX] if 1 <= number <= len(code) else ""


def _safe(text: str) -> str:
    return shortened(printable(text), MESSAGE_CHARACTERS_MAX)


class AttemptList(OptionList):
    """The attempts, most recent first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Diff"),
        Binding("space", "mark", "Mark", show=False),
        Binding("i", "isolation", "Show how the code was sandboxed", show=False),
    ]

    @dataclass
    class Marked(Message):
        """An attempt was chosen as the base for comparisons."""

        number: int

    class IsolationAsked(Message):
        """Toggle the details of the isolation."""

    def action_isolation(self) -> None:
        """Post a request to toggle the isolation details."""
        self.post_message(self.IsolationAsked())

    def action_mark(self) -> None:
        """Post a message that names the attempt under the cursor."""
        option = self.highlighted_option
        if option is not None and option.id is not None:
            self.post_message(self.Marked(int(option.id)))


class AttemptsView(Vertical):
    """The attempts at the current task; enter compares the attempt under the cursor with the marked or previous one."""

    @dataclass
    class Compared(Message):
        """Compare two attempts, identified by their numbers."""

        before: int
        after: int

    def __init__(self) -> None:
        super().__init__(id="attempts")
        self._attempts: Sequence[Attempt] = ()
        self._times: Sequence[float | None] = ()
        self._marked = 0

    def compose(self) -> ComposeResult:
        """Yield the result of a finished challenge, the attempt list, and the verdict."""
        yield Static("", id="result", markup=False)
        yield Static(NONE_YET, id="no-attempts", markup=False)
        yield AttemptList(id="attempt-list", compact=True)
        yield VerdictView()

    def show(self, attempts: Sequence[Attempt], times: Sequence[float | None], result: Content | None) -> None:
        """Show these attempts; the cursor moves to a new attempt."""
        is_new = len(attempts) != len(self._attempts)
        rows = self.query_one(AttemptList)
        at = 0 if is_new else rows.highlighted
        self._attempts, self._times = attempts, times
        self._marked = min(self._marked, len(attempts))
        self.query_one("#result", Static).update(result or "")
        self.query_one("#result").display = result is not None
        self.query_one("#no-attempts", Static).update(NONE_MADE if result else NONE_YET)
        self.query_one("#no-attempts").display = not attempts
        rows.display = bool(attempts)
        rows.clear_options()
        rows.add_options(self._options())
        rows.highlighted = at if attempts else None
        self._show_verdict(len(attempts) - (at or 0))

    def on_attempt_list_marked(self, message: AttemptList.Marked) -> None:
        """Use this attempt as the base for comparisons; selecting the same attempt again clears the base."""
        message.stop()
        self._marked = 0 if self._marked == message.number else message.number
        rows = self.query_one(AttemptList)
        at = rows.highlighted
        rows.clear_options()
        rows.add_options(self._options())
        rows.highlighted = at

    def on_attempt_list_isolation_asked(self, message: AttemptList.IsolationAsked) -> None:
        """Toggle the details of the isolation."""
        message.stop()
        self.query_one(VerdictView).action_isolation()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the verdict on the attempt under the cursor."""
        event.stop()
        self._show_verdict(int(event.option_id or 0))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Post the two attempts to compare."""
        event.stop()
        number = int(event.option_id or 0)
        before = self._marked if self._marked and self._marked != number else number - 1
        self.post_message(self.Compared(min(before, number), max(before, number)))

    def _options(self) -> list[Option]:
        numbers = range(len(self._attempts), 0, -1)
        return [Option(self._row(number), id=str(number)) for number in numbers]

    def _row(self, number: int) -> Content:
        seconds = self._times[number - 1] if number <= len(self._times) else None
        when = "untimed" if seconds is None else f"at {minutes_text(seconds)}"
        mark = "diff from here" if number == self._marked else ""
        attempt = self._attempts[number - 1]
        name = f"#{_number(self._attempts[:number])}" if attempt.has_loaded else " –"
        return Content.assemble(
            f"{name}  ", _attempt_summary(attempt), (f"  {mark or when}", "" if mark else "$secondary")
        )

    def _show_verdict(self, number: int) -> None:
        self.query_one(VerdictView).show(self._attempts[:number])


def _attempt_summary(attempt: Attempt) -> str:
    if attempt.report is None:
        return "ungraded: the grader failed" if attempt.failure else "running …"
    if not attempt.has_loaded:
        return "✗ did not load, not counted"
    sign = "✓" if attempt.report.verdict is Verdict.PASSED else "✗"
    return f"{sign} {verdict_text(attempt.report.verdict)}, {cases_passed(attempt.report)}"


def attempt_name(attempts: Sequence[Attempt], place: int) -> str:
    """Return the name of the attempt at this position, counting from 1; only attempts that loaded get a number."""
    return f"attempt {_number(attempts[:place])}" if attempts[place - 1].has_loaded else "code that did not load"


def _number(attempts: Sequence[Attempt]) -> int:
    """Return the number of attempts that count as submissions."""
    return sum(attempt.has_loaded for attempt in attempts)
