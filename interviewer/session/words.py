"""The interviewer's own sentences, apart from the bank's; none of them praises or gives a grade away."""

from __future__ import annotations

from graders.verdict import Report, Verdict

QUOTE_CHARACTERS_MAX = 160
# After it a visible case lists its inputs; the verdict panel shows them, speech does not.
INPUTS_MARK = " | inputs: "
YOUR_READING = "Take it as you read it, and say which assumption you make."
LEAVE_QUESTION = "Let us leave that there."
TIME_FOR_PART = "The time for this part is used up."
SKIPPED = "Skipped."
FINISH = "That is the end. The debrief follows: what was heard, where it stopped, and what to practise."
OUT_OF_HINTS = "There are no more hints here. Say what you can, or skip."
KEEP_CODING = (
    "Noted; it is in the log, and nothing judges it. Hold it against the failing case, change the code, submit again."
)


def you_said(quote: str) -> str:
    """Return a lead that quotes the candidate, cut at a word."""
    folded = " ".join(quote.split())
    if len(folded) > QUOTE_CHARACTERS_MAX:
        folded = folded[:QUOTE_CHARACTERS_MAX].rsplit(" ", 1)[0] + " …"
    return f"You said: “{folded}”"


def could_not_judge(why: str) -> str:
    """Return a lead that says that the answer was not judged, and why."""
    return f"I could not judge that ({why or 'no reason given'}), so it is ungraded. Once more, in plain sentences:"


def open_task(title: str, minutes: float) -> str:
    """Return the words that open a coding task."""
    return (
        f"Now some code: {title}. You have about {minutes:.0f} minutes. "
        "Read the statement, write it, and submit as often as you like."
    )


def verdict_lead(report: Report) -> str:
    """Return the facts of a report in two or three sentences: verdict, first failing case, the mistake on file."""
    failed = [case for case in report.cases if case.verdict is not Verdict.PASSED]
    if not failed:
        return f"Passed: all {len(report.cases)} cases."
    worst = max(failed, key=lambda case: case.verdict.badness)
    lead = (
        f"Verdict {report.verdict.value}: {len(failed)} of {len(report.cases)} cases fail. "
        f"Case {worst.name}: {worst.message.split(INPUTS_MARK)[0]}"
    )
    if report.mistake:
        lead += f"\n\nWhat the code does instead: {report.mistake.wrong}"
    return lead


def verdict_ask(report: Report) -> str:
    """Return the question that a failing report earns."""
    if report.mistake:
        return report.mistake.ask
    failed = [case.name for case in report.cases if case.verdict is not Verdict.PASSED]
    return f"No mistake on file matches. What does the case {failed[0]} feed your code that the others do not?"


def grading_failed(message: str, fix: str) -> str:
    """Return the words for a failure of ours: the submission is kept and not judged."""
    return f"The grader failed, not your code: {message} {fix} Your submission is kept and ungraded; submit again then."
