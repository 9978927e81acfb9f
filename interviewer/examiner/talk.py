"""Tells an answer that holds nothing to judge before anything is paid for it; a single word of substance is enough."""

from __future__ import annotations

import re

from interviewer.examiner.matching.sentences import normalise, split_sentences, words_of
from interviewer.examiner.quotes import ANSWER_CHARS_MAX, visible
from interviewer.examiner.remarks import does_not_know

_MASTER_KEY = re.compile(
    r"(?:(?:thought|thinking)(?: process)?|solution|answer|final answer|reasoning|explanation"
    r"|let'?s (?:think|solve|work)(?: (?:this|it|step|by|out|through))*)"
)
# "It depends" and "right" may answer a question; eight such words and nothing else answer none.
_TALK_WORDS_MIN = 8
# None of these names a thing of the field. Neither list holds a negation, a comparison or a number: "no, it is less"
# is an answer.
_GRAMMAR = """
    a an the and or but of to in on at by for from with without as is are was were be been being am it its it's this
    that these those there here he she they them their we us our ours you your i me my mine so very much really quite
    rather such can could may might would will should must do does did done have has had having i'm i've i'd i'll
    you're we've that's there's what which who how when where why if then about into through also just always often
    usually some any several many lot lots while until because since whether
"""
_TALK = """
    good great excellent nice fine interesting important difficult hard complex tricky simple crucial essential
    fundamental fundamentals basic basics question questions topic topics subject area field thing things something
    anything everything point points matter thank thanks please hello hi ok okay well think thought believe feel know
    known say said tell see seen look looking understand understanding understood explain explained discuss talk talking
    consider considering mention experience experienced work worked working years year team teams people project
    projects company companies practice practical practices real world context depend depends depending situation case
    cases use used balance tradeoff tradeoffs trade-offs trade off pros cons side sides weigh find finding right key
    keys detail details going go dive deep deeply first step steps start begin let let's answer answering approach
    approaches best standard industry various different aspect aspects factor factors hand struggle struggled clear
    clearly certainly definitely obviously course sure happy glad love passionate confident comfortable familiar
    wonderful amazing general overall basically essentially honestly actually worth careful carefully thoughtful
    challenge challenges challenging solution solutions problem problems need needs want make makes making sense take
    takes end day time times way ways kind sort come comes help helps learn learned lot bit exactly generally most one
    before after successful exciting excited today modern hours weeks months led senior engineer engineers engineering
    skills knowledge business customers stakeholders requirements colleagues opportunity interview motivated job career
    eager strong strengths detail-oriented
"""
_NOT_KNOWING = "no not don't dont can't cannot never idea clue remember recall sorry pass skip heard met idk dunno"
_EMPTY = frozenset((_GRAMMAR + _TALK).split())
_EMPTY_WITH_DENIAL = _EMPTY | frozenset(_NOT_KNOWING.split())


def has_no_words(answer: str) -> bool:
    """Tell whether there is nothing but space, signs and invisible characters."""
    return not _words(answer)


def is_talk(answer: str) -> bool:
    """Tell whether the answer is the mere opening of one, or sentences that could stand in any interview.

    Judges are known to credit such texts, so none ever reaches one. A lone number is an answer: some rungs ask for it.
    """
    words = _words(answer)
    if _MASTER_KEY.fullmatch(" ".join(words)):
        return True
    return len(words) >= _TALK_WORDS_MIN and _EMPTY.issuperset(words)


def only_says_unknown(answer: str) -> bool:
    """Tell whether the answer says that the candidate does not know, and nothing else."""
    return _EMPTY_WITH_DENIAL.issuperset(_words(answer)) and does_not_know(split_sentences(answer[:ANSWER_CHARS_MAX]))


def _words(answer: str) -> tuple[str, ...]:
    return words_of(normalise(visible(answer.strip()[:ANSWER_CHARS_MAX])))
