"""The interviewer's stock phrases, which are not in the question bank. No phrase contains praise or a grade."""

from __future__ import annotations

from collections.abc import Sequence

from graders.verdict import Report, Verdict, failed_cases
from interviewer.session.assessment import Assessment, State
from interviewer.session.question import TaskBrief

QUOTE_CHARACTERS_MAX = 160
# If an answer is longer than this, examiners judge only its beginning.
JUDGED_CHARACTERS_MAX = 16_000
# The words that introduce the quote for a finding. An examiner is wrong more often when it reports a contradiction
# than when it credits a point, so a contradiction is not stated as a fact.
HEARD = {State.SHOWN: "heard", State.PARTIAL: "heard in part", State.CONTRADICTED: "may contradict this:"}
# The reply to both "could you repeat that?" and clarifying questions such as "do you mean per token?".
YOUR_READING = "Make whatever assumptions you need, and state them. Here is my question again:"
SAID_AGAIN = "Here is my question again:"
YOUR_ASSUMPTION = "As for your question, make whatever assumption you need, and state it."
GO_ON = "Let's go on with what we have."
WHAT_DO_YOU_MEAN = "What exactly do you mean by that? Say it again in different words."
CONCRETE_CASE = "Walk me through one concrete case: a few steps, a few numbers, and what happens to each."
SAY_WHAT_YOU_KNOW = "Tell me what you do know about it, or guess and give your reason. An unfinished thought is fine."
ANOTHER_PART = (
    "That belongs to a different part of the topic. "
    "Stick with my question: tell me what you know, or guess and say why."
)
REST_OF_IT = "That is one part of my question. Tell me what you know about the rest, or guess and say why."
START_HERE = "Let me narrow it down."
ONE_RESULT = "I could not tell what your result is. Give me just the value with its unit, or just the name."
ONE_CHOICE = "I could not tell which option you mean. Give me its letter, along with the rest of what I asked for."
ENDED_UNJUDGED = "the session ended before it was judged"
BOTH_HALVES = "Give me both: the letter, and the number or the name that I asked for."
BEFORE_WE_LEAVE = "Before we move on, a simpler question about this:"
WITH_NUMBERS = "That is the textbook wording. Now with numbers:"
ARE_YOU_SURE = "A colleague disagrees with that. Do you stand by it? Why?"
BEYOND = (
    "That was my last prepared question here. Where would this break first at ten times the scale, and how would you"
    " find out?"
)
NEVER_SCORED = "asked beyond the ladder, improvised: never scored"
STEP_BACK = "Let's look at something simpler first."
OBSERVERS_QUESTION = "An observer asked this question. Hints are not available, and your answer will not be scored."
TEACH_PICK = "These points were missed, or heard only in part. Nothing you do here is scored."
NO_EXPLANATION = "This is the question bank's text. Only a language model can explain more."
EXPLANATION_UNUSABLE = "The model's text failed a check, so only the question bank's text is shown."
TRY_AGAIN = "Try the question again. I will tell you what I heard; nothing is scored."
NO_SUMMARY = "The model's summary did not match the results, so it is left out."
SUMMARY_FAILED = "The model gave no reply, so there is no summary."
UNCALIBRATED = "uncalibrated: this version of the examiner has not been measured; run interviewer calibrate"
LEAVE_QUESTION = "Let us leave that there."
TIME_FOR_PART = "Time is up for this part."
SKIPPED = "Skipped."
GREETING = "Hello, and welcome. Let's begin."
FINISH = (
    "That's the end of the session. The debrief comes next: the points I heard, how far you got, and what to practice."
)
FREE_HINT = "free"
NO_HINT_LEFT = "none left"
TASK_HINT_PRICE = "the task comes back sooner"
NOTHING_TO_TAKE_BACK = "There is no answer to retract right now."
REPLY_RESTS_ON_IT = "My reply already builds on that answer, so you can't retract it. Tell me what you would change."
TAKEN_BACK_ONCE = "You already retracted one answer to this question after I replied to it. Your other answers stand."
TAKEN_BACK = "Answer retracted; it will not be judged. Edit your answer and send it again."
TAKEN_BACK_LATE = "Answer retracted, along with my reply. Edit your answer and send it again."
TAKE_BACK_OPENING = (
    "You can do this once per question, and the debrief lists it. On an opening question, retracting costs no credit."
)
TAKE_BACK_PRICE = (
    "You can do this once per question, and the debrief lists it. The replacement answer earns half credit."
)
APPEAL_PICK = "Your reason is shown next to the finding. The finding itself does not change."
APPEAL = (
    "Say in one line why this finding is wrong. Your appeal is logged and shown next to the point in the debrief and "
    "the report. An appeal changes no result. An empty line withdraws the appeal."
)
OUT_OF_HINTS = "There are no more hints for this question. Say what you can, or skip."
NO_HINT_HERE = "There is no hint for this question. Here it is again:"
NO_HINT_AFTER_PASS = "You have passed this task, so there are no more hints for it. Submit again, or skip."
# The reply to a question about a coding task's statement.
SEE_STATEMENT = (
    "The task statement lists everything that is graded. If something is unspecified, state your assumption."
)
GO_ON_CODING = "Go on, and submit when you are ready."
NOTED_CODING = "Noted. This is logged but not judged. Submit your code when you are ready."
KEEP_CODING = (
    "Noted. This is logged but not judged. Check your idea against the failing case, change the code, and submit again."
)
EXPLAINS_IT = "That explains the failing case. Change the code and submit again."
EXPLAINS_PART = "That explains part of the failing case. Find the rest, then submit again."
EXPLAINS_NOTHING = "That does not explain the failing case. Compare the case's inputs with what your code does to them."
NEAR_OFFLINE = "That is close to the explanation I have for this failure. Change the code and submit again to test it."
UNMATCHED_OFFLINE = (
    "Noted. I cannot tell whether that explains the failing case. Check your idea against the case, then submit again."
)
NOT_SUBMITTED = "not submitted"
NOT_LOADED = "Your code did not load, so this does not count as a submission. Submit again once it loads."
AFTER_PASS_NOTED = "Noted. This is not judged."
AFTER_PASS_LEAD = "One unscored question about your code:"
_AFTER_PASS = {
    "implement": (
        "Which line of your code uses the most time or memory as the inputs grow, and how could you reduce that?"
    ),
    "repair": "Which check would have caught this bug in a training run, and what would that check cost per step?",
    "estimate": "Which term dominates as the model grows, and which costs does this estimate leave out?",
}
# Questions for when no mistake or symptom was identified and there is no output to compare.
_WITHOUT_RESULT = {
    Verdict.RAISED: "What does the line that raised the exception expect, and what does it get?",
    Verdict.TIMED_OUT: "Where does your code spend its time, and how does that grow with the input?",
    Verdict.OUT_OF_MEMORY: "What is the largest tensor or object your code keeps in memory?",
    Verdict.DEADLOCKED: "Which rank waits for which other rank, and in which call?",
}


def limit_note(length: int) -> str:
    """Return a note on how much of an answer of this length, in characters, will be judged; "" if all of it will be."""
    if length <= JUDGED_CHARACTERS_MAX:
        return ""
    return f"Only the first {JUDGED_CHARACTERS_MAX:,} of your {length:,} characters will be judged"


def hint_price(weight: float) -> str:
    """Return the cost of a hint as text, given the answer's new weight; any hint makes the question due sooner."""
    credit = "no credit lost" if weight >= 1 else f"the answer counts {100 * weight:.0f}%"
    return f"{credit}; the question comes back sooner"


def complete_this(sentence: str) -> str:
    """Ask the candidate to complete a sentence, given its first half."""
    half = sentence.split()
    return f"Complete the sentence: “{' '.join(half[: len(half) // 2])} …”"


def you_said(quote: str, *, is_earlier: bool = False) -> str:
    """Return a lead-in that quotes the candidate, to introduce a question about that quote."""
    return f"{'Earlier you said' if is_earlier else 'You said'}: “{_cut(quote)}”"


def still_open(left: Sequence[str]) -> str:
    """Return the question that asks for the missing points of a rung that the candidate has partly covered."""
    return f"You have already covered part of my next question. Tell me the rest: {'; and '.join(left)}."


def challenge(topic: str) -> str:
    """Return the question about a contradicted point; it does not call the claim wrong, as the judge may be wrong.

    `topic` is the point's `still_open` text; "" if the point has no such text.
    """
    return f"What follows from that? Tell me {topic}." if topic else WHAT_DO_YOU_MEAN


def small_help(hint: str) -> str:
    """Return a lead-in that gives a hint before a check is repeated."""
    return f"Here is a hint: {hint} Now try again:"


def shorten(text: str, characters_max: int) -> str:
    """Return the text as one line; if it is too long, cut it between two words."""
    line = " ".join(text.split())
    return line if len(line) <= characters_max else f"{line[:characters_max].rsplit(' ', 1)[0]} …"


def _cut(quote: str) -> str:
    return shorten(quote.rstrip(",;: \n\t"), QUOTE_CHARACTERS_MAX)


def pluralize(count: int, what: str) -> str:
    """Return a count with its noun, for example "1 session" or "2 sessions"."""
    return f"{count} {what}{'s' * (count != 1)}"


def could_not_judge(why: str) -> str:
    """Return a lead-in that explains why the answer was not judged."""
    return (
        f"I could not judge that answer ({why or 'no reason given'}), so it is ungraded. Try again, in plain sentences:"
    )


def open_task(title: str, minutes: float) -> str:
    """Return the text that introduces a coding task."""
    return (
        f"Now some code: {_ended(title)} You have about {minutes:.0f} minutes. "
        "Read the statement, write the code, and submit as often as you like."
    )


def offer(title: str, minutes: float) -> str:
    """Return the offer of one more question after the plan is complete."""
    return (
        f"That was everything I had planned, and {int(minutes)} minutes are left. "
        f"One more question? It would be: {_ended(title)}"
    )


def _ended(title: str) -> str:
    """Return a title with a period, unless it ends with "?" or "!"."""
    return title if title.endswith(("?", "!")) else f"{title}."


def cases_passed(report: Report) -> str:
    """Return the number of passed cases as text, for example "5 of 8 cases passed"."""
    return f"{report.passed_count} of {pluralize(len(report.cases), 'case')} passed"


def verdict_text(verdict: Verdict) -> str:
    """Return a verdict in words, for example "wrong value"."""
    return "raised an exception" if verdict is Verdict.RAISED else verdict.value.replace("_", " ")


def verdict_lead(report: Report, *, is_named: bool = True) -> str:
    """Summarize a report: verdict, first failing case, and, if `is_named`, its mistakes or symptoms.

    If the file could not be imported, return only the reason and the source line; such a file does not count as a
    submission.
    """
    failed = failed_cases(report)
    if not failed:
        return f"Passed: {cases_passed(report)}."
    if not report.has_loaded:
        why, _, line = failed[0].message.partition("\n")
        # With the blank line and the indent, Markdown renders the source line and its caret as a code block.
        return f"{NOT_LOADED}\n\n{why}\n\n{line}".rstrip()
    lead = (
        f"Not passed ({verdict_text(report.verdict)}): {cases_passed(report)}."
        f" Case {failed[0].names[0]}: {failed[0].message}"
    )
    return f"{lead}\n\n{named}" if is_named and (named := naming(report)) else lead


def after_pass(task: TaskBrief) -> str:
    """Return the question asked after a pass: the task's own question, or else the default for its kind."""
    return task.after_pass or _AFTER_PASS.get(task.kind, _AFTER_PASS["implement"])


def about_line(line: str) -> str:
    """Return a lead-in that quotes a line of the candidate's code."""
    return f"About this line: “{shorten(line, QUOTE_CHARACTERS_MAX)}”"


def statement_says(sentences: Sequence[str]) -> str:
    """Return the reply that quotes a task's statement."""
    return f"The statement says: “{' '.join(sentences)}”"


def figures_do_not_hold(count: int) -> str:
    """Return a note on answers that were judged without the matcher, for which the measured figures do not hold."""
    those = "that answer" if count == 1 else "those answers"
    return (
        f"The offline examiner judged {pluralize(count, 'answer')} without its trained matcher; "
        f"its figures do not hold for {those}."
    )


def written_by(author: str) -> str:
    """Return the heading of a model's summary."""
    return f"Written by {author}, based on the points above"


def explained_by(author: str) -> str:
    """Return the heading of a model's explanation."""
    return f"Written by {author}, based on the question bank's answer"


def naming(report: Report) -> str:
    """Describe the mistake in the failing code; "" if none is known."""
    return "\n\n".join(f"{label}: {text}" for label, text in diagnosis(report))


def named_late(report: Report) -> str:
    """Describe the mistake in the previous submission; "" if none is known."""
    named = naming(report)
    return f"About your previous submission. {named}" if named else ""


def reaction(assessment: Assessment, *, is_offline: bool) -> str:
    """Return the reply to an explanation of a failing case; the reply claims no more than the judgment supports."""
    point = assessment.points[0] if assessment.is_graded and assessment.points else None
    if point is None or point.state is State.UNDECIDED:
        return KEEP_CODING
    if is_offline:
        # Phrase matching detects wording, not meaning, so it cannot tell whether an explanation is right or wrong.
        is_near = point.state in (State.SHOWN, State.PARTIAL)
        return f"{you_said(point.quote)}\n\n{NEAR_OFFLINE}" if is_near else UNMATCHED_OFFLINE
    return {State.SHOWN: EXPLAINS_IT, State.PARTIAL: EXPLAINS_PART}.get(point.state, EXPLAINS_NOTHING)


def diagnosis(report: Report) -> list[tuple[str, str]]:
    """Return the findings about the failing code as (label, text) pairs: each mistake, or else the output symptoms.

    A mistake is stated as a fact only if the outputs match the mistake's outputs exactly; otherwise, the label only
    says that the code resembles that mistake.
    """
    lines = []
    for mistake in report.mistakes:
        label = "What your code does" if mistake.is_exact else "What this looks like"
        # No case is attributed to two mistakes: each mistake is identified from the cases that it explains.
        where = f" in {', '.join(mistake.cases)}" if len(report.mistakes) > 1 and mistake.cases else ""
        lines.append((label + where, mistake.wrong))
    if not lines and report.symptoms:
        lines.append(("What the outputs show", " ".join(symptom.says for symptom in report.symptoms)))
    return lines


def verdict_question(report: Report) -> str:
    """Return the follow-up question for a failing report; "" for a file that could not be imported."""
    if not report.has_loaded:
        return ""
    if report.mistake:
        return report.mistake.ask
    if report.symptoms:
        return report.symptoms[0].ask
    first = failed_cases(report)[0]
    name = first.names[0]
    if first.verdict in _WITHOUT_RESULT:
        return _WITHOUT_RESULT[first.verdict]
    return f"This matches no known mistake. What is different about the inputs of case {name}?"


def grading_failed(message: str, fix: str) -> str:
    """Return the message for an internal error; the submission is kept but not judged."""
    kept = "Your submission is saved but ungraded. Once this is fixed, submit again."
    return f"The grader failed, not your code: {message} {fix} {kept}"
