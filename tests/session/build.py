"""Small questions, tasks, assessments and a scripted run for tests of the session."""

from __future__ import annotations

from collections.abc import Callable

from graders.verdict import Diagnosis, Outcome, Report, Verdict
from interviewer.session import events
from interviewer.session.assessment import Assessment, Belief, PointState, State
from interviewer.session.engine import AskSelfMarks, Assess, Effect, Grade, Say, pending_effect, step
from interviewer.session.move import Move, MoveKind
from interviewer.session.plan import Part, Plan
from interviewer.session.question import Misconception, Point, Probe, Question, Rung, TaskBrief
from interviewer.session.state import Session

RUNGS = 4
NO_DOUBTS = 11  # with this seed, no right answer to the question "clipping" is doubted


def question(question_id: str = "clipping", numbers_at: int = 0) -> Question:
    """Return a question with one point per rung, a probe for each of the first two, and one misconception.

    The rung `numbers_at` asks for a number; 0 means none.
    """
    return Question(
        id=question_id,
        area="trust_regions",
        level=3,
        topics=("ppo",),
        seeds=("001 #7",),
        source=("arXiv:1707.06347",),
        prompt=f"Why does {question_id} work?",
        points=tuple(
            Point(f"p{n}", f"Point {n} of {question_id}.", (f"word{n}",), f"what point {n} is about")
            for n in range(1, RUNGS + 1)
        ),
        rungs=tuple(
            Rung(
                f"{question_id} rung {n}?",
                f"answer {n}",
                (f"p{n}",),
                (f"hint {n}a", f"hint {n}b"),
                "1 + 1" * (n == numbers_at),
            )
            for n in range(1, RUNGS + 1)
        ),
        probes=(Probe(f"{question_id} probe 1?", missing="p1"), Probe(f"{question_id} probe 2?", missing="p2")),
        misconceptions=(Misconception("wrong", "Believes it.", ("bounded",), f"{question_id} exposes?"),),
    )


def brief(task_id: str = "ppo_clip_loss") -> TaskBrief:
    """Return a coding task as an interview sees it."""
    return TaskBrief(task_id, "PPO loss", "implement", 20.0, ("ppo",), "Write it.", "def f(): ...", ("look", "closer"))


def plan(*parts: tuple[str, str], minutes: float = 60.0) -> Plan:
    """Return a plan of (kind, id) parts with equal minutes."""
    each = minutes / len(parts)
    return Plan(tuple(Part("task" if kind == "task" else "question", name, each) for kind, name in parts), minutes)


def started(
    *parts: tuple[str, str],
    examiner: str = "offline",
    minutes: float = 60.0,
    seed: int = NO_DOUBTS,
    numbers_at: int = 0,
) -> events.SessionStarted:
    """Return the first event of a session with these parts."""
    names = [name for kind, name in parts if kind == "question"]
    briefs = [brief(name) for kind, name in parts if kind == "task"]
    return events.SessionStarted(
        at=1000.0,
        session="s1",
        seed=seed,
        plan=plan(*parts, minutes=minutes),
        questions=tuple(question(name, numbers_at) for name in names),
        tasks=tuple(briefs),
        examiner=examiner,
    )


def heard(
    *shown: str,
    partial: tuple[str, ...] = (),
    contradicted: tuple[str, ...] = (),
    beliefs: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
) -> Assessment:
    """Return an assessment that shows these points and misses the others."""
    states = [PointState(point, State.SHOWN, f"quote of {point}") for point in shown]
    states += [PointState(point, State.PARTIAL, f"part of {point}") for point in partial]
    states += [PointState(point, State.CONTRADICTED, f"against {point}") for point in contradicted]
    known = {*shown, *partial, *contradicted}
    states += [PointState(f"p{n}", State.MISSING) for n in range(1, RUNGS + 1) if f"p{n}" not in known]
    heard_beliefs = tuple(Belief(belief, "it is bounded") for belief in beliefs)
    return Assessment("offline", True, tuple(states), heard_beliefs, flags)


def undecided(*points: str) -> Assessment:
    """Return an assessment whose votes disagree on these points."""
    states = tuple(PointState(point, State.UNDECIDED) for point in points)
    return Assessment("llm:x", True, states)


def ungraded(why: str = "empty answer") -> Assessment:
    """Return an assessment that judged nothing."""
    return Assessment("offline", False, why_not=why)


def report(verdict: Verdict = Verdict.PASSED, mistake: str = "") -> Report:
    """Return a report of two cases; the second has this verdict."""
    return Report(
        task="ppo_clip_loss",
        device="cpu",
        sandbox="process",
        isolation="none",
        seed=3,
        cases=(
            Outcome("easy", Verdict.PASSED, 1.0, ""),
            Outcome("f6", verdict, 1.0, "" if verdict is Verdict.PASSED else "loss: expected 0.1, got -0.1"),
        ),
        mistake=(
            Diagnosis(mistake, "Takes the maximum.", "What if the advantage is negative?", is_exact=True, cases=("f6",))
            if mistake
            else None
        ),
        stdout="",
    )


class Run:
    """Drives a session by hand: moves are delivered immediately, and the test does everything else."""

    def __init__(self, start: events.SessionStarted) -> None:
        self.events: list[events.Event] = [start]
        self.moves: list[Move] = []
        self.session = step(None, start)
        self._say_moves()

    @property
    def pending(self) -> Effect | None:
        """Return the pending effect."""
        return pending_effect(self.session)

    @property
    def now(self) -> float:
        """Return the time of the last event."""
        return self.events[-1].at

    def apply(self, event: events.Event) -> Session:
        """Apply one event, then deliver every pending move."""
        self._apply(event)
        self._say_moves()
        return self.session

    def answer(self, assessment: Assessment, text: str = "an answer", seconds: float = 10.0) -> Move | None:
        """Give an answer with this assessment; return the move that followed."""
        self._apply(events.CandidateSaid(self.now + seconds, text))
        assert isinstance(self.pending, Assess)
        self.apply(events.Assessed(self.now, assessment))
        return self.moves[-1] if not self.waits_for(AskSelfMarks) else None

    def submit(self, result: Report, source: str = "code") -> Move:
        """Submit a source with this report; return the move that followed."""
        self._apply(events.Submitted(self.now + 30, source))
        assert isinstance(self.pending, Grade)
        self.apply(events.Graded(self.now, result))
        return self.moves[-1]

    def waits_for(self, kind: type[Effect]) -> bool:
        """Return whether an effect of this kind is pending."""
        return isinstance(self.pending, kind)

    def improvise(self, asked: str) -> None:
        """Answer everything correctly until the model improvises a question, which is `asked`."""
        while self.session.answered is None or self.session.answered.kind is not MoveKind.IMPROVISE:
            shown = Assessment("llm:x", True, tuple(PointState(f"p{n}", State.SHOWN, f"q{n}") for n in range(1, 5)))
            assert not self.session.is_over
            self._apply(events.CandidateSaid(self.now + 10, "an answer"))
            self._apply(events.Assessed(self.now, shown))
            if self.session.move is not None and self.session.move.kind is MoveKind.IMPROVISE:
                self._apply(events.InterviewerSaid(self.now + 1, MoveKind.IMPROVISE, asked))
            self._say_moves()

    def _apply(self, event: events.Event) -> None:
        self.events.append(event)
        self.session = step(self.session, event)

    def _say_moves(self) -> None:
        while isinstance(effect := self.pending, Say):
            move = effect.move
            self.moves.append(move)
            self._apply(events.InterviewerSaid(self.now + 1, move.kind, move.text))


Answerer = Callable[[Run], Assessment]


def must(move: Move | None) -> Move:
    """Return the move, which must exist."""
    assert move is not None
    return move
