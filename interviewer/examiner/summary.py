"""Asks a model for a summary and a study plan, and keeps only the sentences that the judged points support.

The model sees the judged points with their status and the candidate's quoted words. The code drops every sentence that
mentions points that were not judged, contradicts the judge's findings, or adds a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from interviewer.chat.model import ChatModel
from interviewer.chat.streaming import never_cancelled
from interviewer.examiner.english import is_english
from interviewer.examiner.matching.negation import has_negation
from interviewer.examiner.matching.overlap import stems
from interviewer.examiner.matching.sentences import normalize, split_sentences
from interviewer.examiner.model_text import is_showable, json_objects, numbers_in
from interviewer.examiner.prompts import fence_tag, prompt_messages
from interviewer.examiner.quotes import visible
from interviewer.examiner.voice import first_fault, gives_grade, talks_about_score
from interviewer.session.phrases import shorten
from interviewer.session.results import JudgedPoint, Standing, judged_points, model_sentence
from interviewer.session.scoring import checked_rungs
from interviewer.session.state import OFFLINE, Drill, PointRef, Session, Summary, SummarySentence

_POINTS_MIN = 2
SENTENCES_MAX = 5
STEPS = 3
_WORDS_MAX = 45
_SAID_CHARS_MAX = 300
# The model lists the points that each sentence of its summary is about. A sentence that also shares at least this many
# words with a different point counts as being about that point as well.
_OTHER_STEMS_MIN = 3
# The share of a sentence's words that must come from its points or from what the candidate said about them.
_OWN_SHARE = 1 / 3
_OPEN = (Standing.PARTIAL, Standing.MISSED)
# Patterns that match claims about the candidate in a sentence. They look for "you explained" and not only for
# "explain", because "You did not explain" also contains "explain".
_CLAIMS_CREDIT = re.compile(
    r"\byou(?:'ve| have)?(?: also| then| even| \w+ly)? (?:explained|showed|shown|gave|given|knew|known|stated|named"
    r"|derived|identified|described|covered|understood|got|said|mentioned|demonstrated|recognized|noted|computed"
    r"|pointed|made|argued|defined|listed|answered|used|addressed)\b",
    re.IGNORECASE,
)
_CLAIMS_MISS = re.compile(
    r"\byou(?:'ve| have)?(?: also| then| still| \w+ly)? (?:did not|didn't|never|failed|missed|left out|omitted|forgot"
    r"|skipped|could not|couldn't|were not|weren't|lacked|overlooked|neglected|confused|contradicted|have not"
    r"|haven't)\b"
    r"|\b(?:was|were|is|are|went|stayed|remained|left) (?:still )?(?:missing|absent|unclear|open|unmentioned|unsaid"
    r"|unexplained|not (?:mentioned|explained|covered|stated|addressed))\b"
    r"|\bwithout (?:mentioning|saying|explaining|naming|stating)\b|\bdid not come up\b",
    re.IGNORECASE,
)
_CLAIMS_PART = re.compile(r"\b(?:part(?:s|ly|ial|ially)?|half|incomplete\w*)\b", re.IGNORECASE)
_PRAISE = re.compile(
    r"\b(?:great|good|fantastic|amazing|ready for|senior|junior|love[sd]?|excellent|outstanding"
    r"|impressive(?:ly)?|perfect(?:ly)?|brilliant(?:ly)?|poor(?:ly)?|bad(?:ly)?"
    r"|well (?:done|prepared)|congratulations)\b",
    re.IGNORECASE,
)


# Matches the beginning of a new clause; one clause of a sentence may be negated while the others are not.
_CLAUSES = re.compile(
    r"[.;:,](?:\s|$)|[()]|\b(?:but|because|so|since|while|whereas|although|though|when|if|unless|hence|therefore|which)\b"
    r"|\band (?=(?:then )?(?:is|are|was|has|have|do|does|did|can|cannot|will|must|not|never|no|nor|neither)\b|\w+n't\b)"
    r"|\b(?=(?:not|without|rather than|instead of)\b)",
    re.IGNORECASE,
)
_PUT_ASIDE = re.compile(r"rather than|instead of", re.IGNORECASE)


def has_enough_points(session: Session) -> bool:
    """Return whether enough points were judged for a summary."""
    # If no model judged the session, this decides only whether to say that a summary needs a model.
    points = judged_points(session) if session.is_judged_offline else summary_points(session)
    return len(points) >= _POINTS_MIN


def summary_points(session: Session) -> list[JudgedPoint]:
    """Return the judged points that a summary may mention.

    Points that were "heard, not checked" are left out. Such a point was credited only by the offline examiner, and the
    candidate answered none of the checks for the point's rungs correctly.
    """
    drills = {drill.question: drill for drill in session.drills}
    return [
        point
        for point in judged_points(session)
        if point.standing is Standing.MISSED or _is_established(session, drills[point.ref.question], point.ref.point)
    ]


def _is_established(session: Session, drill: Drill, name: str) -> bool:
    """Return whether a model gave the point its credit, or a check for one of its rungs was answered correctly."""
    credit, rungs = drill.credit_of(name), session.question(drill.question).rungs
    return any(name in rungs[number - 1].points for number in checked_rungs(drill)) or any(
        answer.assessment.judge != OFFLINE and credit is not None and answer.assessment.state_of(name) is credit.state
        for answer in drill.answers
    )


def _note_nothing(what: str, fault: str) -> None:
    """Ignore a dropped sentence."""


def write_summary(
    model: ChatModel,
    session: Session,
    is_cancelled: Callable[[], bool] = never_cancelled,
    note: Callable[[str, str], None] = _note_nothing,
) -> Summary:
    """Return a model's summary of a session; it is empty if no sentence passes the checks.

    For each dropped sentence, `note` is called with the kind of sentence and the fault that the checks found. Raises
    ChatError if the model gives no usable reply.
    """
    points = summary_points(session)
    said = "\n".join(f"{point.ref.id}: {_said(point)}" for point in points if point.quote)
    tag = fence_tag(said)
    messages = prompt_messages(
        "summary",
        steps=str(_steps_of(points)),
        tag=tag,
        points="\n".join(f"- {point.ref.id} ({point.standing.value}): {point.says}" for point in points),
        said=said.replace(tag, "") or "(nothing)",
    )
    reply = model.complete(messages, _schema(points), is_cancelled=is_cancelled).text
    return checked_summary(reply, session, model.name, note)


def checked_summary(
    reply: str, session: Session, author: str, note: Callable[[str, str], None] = _note_nothing
) -> Summary:
    """Return the sentences of a model's reply that agree with the judged points; `note` is called for all others."""
    points = {point.ref.id: point for point in summary_points(session)}
    written = [found for found in json_objects(reply) if {"summary", "plan"} <= found.keys()]
    entries = written[-1] if written else {}
    known, unjudged = _known_numbers(session), _unjudged_texts(session, points)
    sentences = list(_sentences(entries.get("summary"), points, unjudged, known, note))[:SENTENCES_MAX]
    plan = list(_sentences(entries.get("plan"), points, unjudged, known, note, is_plan=True))[:STEPS]
    return Summary(author, tuple(sentences), tuple(plan))


def _steps_of(points: Sequence[JudgedPoint]) -> int:
    """Return the number of steps in the study plan, which is 0 if no point is open."""
    return STEPS if any(point.standing in _OPEN for point in points) else 0


def _sentences(
    entries: Any,
    points: Mapping[str, JudgedPoint],
    unjudged: Sequence[str],
    known: Mapping[str, set[str]],
    note: Callable[[str, str], None],
    *,
    is_plan: bool = False,
) -> Iterator[SummarySentence]:
    """Yield the sentences that pass every check; call `note` for each rejected sentence."""
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
            continue
        ids = entry.get("points")
        about = [points.get(str(name)) for name in ids] if isinstance(ids, list) else []
        judged = [point for point in about if point is not None]
        text = " ".join(entry["text"].split())
        others = [point.says for point in points.values() if judged and point.standing != judged[0].standing]
        is_known = bool(judged) and len(judged) == len(about)
        fault = "lists a point that was not judged"
        if is_known:
            is_true = _is_step(text, judged) if is_plan else _is_true(text, entry.get("status"), judged)
            faults = {
                "is not one plain English sentence": not _is_plain(text, judged),
                "is not about its points": not _is_about(text, judged, known),
                "is also about other points": _mixes(text, judged, [*others, *unjudged]),
                "does not match the results": not is_true,
            }
            fault = first_fault(faults)
        if fault:
            note("study step" if is_plan else "summary sentence", fault)
        else:
            yield SummarySentence(text, tuple(dict.fromkeys(point.ref for point in judged)))


def _is_plain(text: str, judged: Sequence[JudgedPoint]) -> bool:
    """Return whether the text is one English sentence that neither praises nor grades.

    Words such as "good" and "score" are treated as technical terms if they also occur in the sentence's points: "a good
    bandit", "the score function".
    """
    is_one = len(split_sentences(text)) == 1 and len(text.split()) <= _WORDS_MAX
    says = " ".join(point.says for point in judged)
    praise, terms = ({word.lower() for word in _PRAISE.findall(one)} for one in (text, says))
    is_graded = talks_about_score(text, says) or (gives_grade(text) and not gives_grade(says))
    is_neutral = praise <= terms and not is_graded
    return is_one and is_neutral and is_english(text, says) and is_showable(text)


def _is_about(text: str, judged: Sequence[JudgedPoint], known: Mapping[str, set[str]]) -> bool:
    """Return whether the sentence shares enough words with its points, at least one with each, and adds no number."""
    words = stems(_CLAIMS_MISS.sub(" ", _CLAIMS_CREDIT.sub(" ", text)))
    numbers = {number for point in judged for number in known[point.ref.question]}
    own = frozenset().union(*(stems(f"{point.says} {point.quote}") for point in judged))
    is_theirs = len(words & own) >= _OWN_SHARE * len(words)
    return is_theirs and all(words & stems(point.says) for point in judged) and numbers_in(text) <= numbers


def _mixes(text: str, judged: Sequence[JudgedPoint], others: Sequence[str]) -> bool:
    """Return whether the sentence is also about one of `others`, points that were judged differently or not at all."""
    own = frozenset().union(*(stems(point.says) for point in judged))
    return any(len((stems(text) - own) & stems(says)) >= _OTHER_STEMS_MIN for says in others)


def _is_true(text: str, status: Any, judged: Sequence[JudgedPoint]) -> bool:
    """Return whether a sentence of the summary agrees with the judge's findings about its points."""
    if any(point.standing != status for point in judged):
        return False
    # Words that seem to say that something is missing may come from a point's text: "the blocks that are missing".
    says = " ".join(point.says for point in judged).lower()
    is_credit = bool(_CLAIMS_CREDIT.search(text))
    is_miss = any(claim[0].lower() not in says for claim in _CLAIMS_MISS.finditer(text))
    if status == Standing.MISSED:
        return is_miss and not is_credit
    is_claimed = bool(_CLAIMS_PART.search(text)) if status == Standing.PARTIAL else is_credit and not is_miss
    return is_claimed and not _says_opposite(text, judged)


def _says_opposite(text: str, judged: Sequence[JudgedPoint]) -> bool:
    """Return whether the sentence negates what its points state, or states what they negate.

    Each clause of the sentence is compared with the most similar clause of the points, because a point may have both a
    negated clause and a clause without a negation.
    """
    stated = [clause for point in judged for clause in _clauses(point.says)]
    for words, is_negated in _clauses(_CLAIMS_MISS.sub(" ", text)):
        shares = [(len(words & own), len(words & own) / len(own), negates == is_negated) for own, negates in stated]
        _, share, is_alike = max(shares, default=(0, 0.0, True))
        if share and not is_alike:
            return True
    return False


def _clauses(text: str) -> list[tuple[frozenset[str], bool]]:
    """Return each clause's words, and whether the clause is negated."""
    clauses = [clause for clause in _CLAUSES.split(normalize(text)) if clause.strip()]
    found = [(stems(clause), has_negation(_PUT_ASIDE.sub("not", clause))) for clause in clauses]
    return [(words, is_negated) for words, is_negated in found if words]


def _is_step(text: str, judged: Sequence[JudgedPoint]) -> bool:
    """Return whether a step in the study plan refers only to open points and claims no credit for them."""
    return all(point.standing in _OPEN for point in judged) and not _CLAIMS_CREDIT.search(text)


def _unjudged_texts(session: Session, points: Mapping[str, JudgedPoint]) -> list[str]:
    """Return the texts of the session's points that are not among `points`."""
    return [
        model_sentence(point).says
        for drill in session.drills
        for point in session.question(drill.question).points
        if PointRef(drill.question, point.id).id not in points
    ]


def _known_numbers(session: Session) -> dict[str, set[str]]:
    """Return, for each question, the numbers in its points and answers."""
    return {
        drill.question: numbers_in(
            " ".join(
                [
                    *(point.says for point in session.question(drill.question).points),
                    *(answer.text for answer in drill.answers),
                ]
            )
        )
        for drill in session.drills
    }


def _said(point: JudgedPoint) -> str:
    return shorten(visible(point.quote), _SAID_CHARS_MAX)


def _schema(points: Sequence[JudgedPoint]) -> dict[str, Any]:
    ids = {"type": "array", "items": {"type": "string", "enum": [point.ref.id for point in points]}}
    text = {"type": "string"}
    status = {"type": "string", "enum": [standing.value for standing in Standing]}
    step = {"text": text, "points": ids}
    return _object(
        summary={"type": "array", "items": _object(text=text, status=status, points=ids)},
        plan={"type": "array", "items": _object(**step)},
    )


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
