"""The verdict on the last submission: failing cases first, in words; passed cases are only counted."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from graders.verdict import Failed, Report, Verdict, failed_cases
from interviewer.session.state import Attempt
from interviewer.tui.printable import in_words, printable, shortened

MESSAGE_CHARACTERS_MAX = 600
PRINTED_CHARACTERS_MAX = 1_500


class VerdictView(VerticalScroll):
    """Draw one attempt; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__(id="verdict")

    def compose(self) -> ComposeResult:
        """Yield the text."""
        yield Static("", id="verdict-text", markup=False)

    def show(self, attempt: Attempt | None, number: int) -> None:
        """Draw what came of the attempt with this number."""
        self.display = attempt is not None and (attempt.report is not None or bool(attempt.failure))
        if attempt is not None and self.display:
            self.query_one("#verdict-text", Static).update(verdict_content(attempt, number))
            self.scroll_home(animate=False)


def verdict_content(attempt: Attempt, number: int) -> Content:
    """Return what is to be said about an attempt, worst first."""
    if attempt.report is None:
        failure = printable(attempt.failure)
        return Content("\n").join(
            [
                Content.styled(f"#{number} ungraded", "bold $text-warning"),
                Content(f"The grader failed, not your code: {failure}"),
            ]
        )
    report = attempt.report
    passed = sum(case.verdict is Verdict.PASSED for case in report.cases)
    failed = failed_cases(report)
    lines = [_headline(report, number, len(report.cases) - passed), Content.styled(_figures(report), "$secondary")]
    for mistake in report.mistakes:
        lines += [Content(""), Content.assemble(("What the code does instead: ", "bold"), _safe(mistake.wrong))]
    for group in failed:
        lines += [Content(""), *_failed_lines(group)]
    if failed and passed:
        lines += [Content(""), Content.styled(f"✓ {passed} {'case' if passed == 1 else 'cases'} passed", "$secondary")]
    if report.stdout:
        printed = shortened(printable(report.stdout.rstrip()), PRINTED_CHARACTERS_MAX)
        lines += [Content(""), Content.styled("Printed by the code", "bold"), Content(printed)]
    # Last, because it is the same each time and some sandboxes have much to say about what they do not hold back.
    lines += [Content(""), Content.styled(f"Isolation: {printable(report.isolation)}", "$secondary")]
    return Content("\n").join(lines)


def _headline(report: Report, number: int, failed: int) -> Content:
    if not failed:
        return Content.styled(f"✓ #{number} passed · all {len(report.cases)} cases", "bold $text-success")
    verdict = in_words(report.verdict.value)
    text = f"✗ #{number} {verdict} · {failed} of {len(report.cases)} cases fail"
    return Content.styled(text, "bold $text-error")


def _figures(report: Report) -> str:
    seconds = report.seconds.get("verdict")
    took = "" if seconds is None else f" · {seconds:.1f} s"
    return f"score {report.score:.2f}{took} · seed {report.seed}"


def _failed_lines(failed: Failed) -> list[Content]:
    names = f"✗ {printable(', '.join(failed.names))}"
    name = Content.assemble((names, "bold"), (f"  {in_words(failed.verdict.value)}", "$text-error"))
    lines = [name, Content("  " + _safe(failed.message).replace("\n", "\n  "))]
    if failed.inputs:
        lines.append(Content.styled("  inputs: " + _safe(failed.inputs), "$secondary"))
    return lines


def _safe(text: str) -> str:
    return shortened(printable(text), MESSAGE_CHARACTERS_MAX)
