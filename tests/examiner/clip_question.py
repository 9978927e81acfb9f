"""One question with three points and a misconception, and the offline examiner's judgments of answers to it."""

from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import Assessment, State
from interviewer.session.question import Misconception, Point, Question, Rung

QUESTION = Question(
    id="clip",
    area="trust_regions",
    level=3,
    topics=("ppo",),
    seeds=("001 #7",),
    source=("arXiv:1707.06347",),
    prompt="Why does PPO take the minimum of the clipped and the unclipped term?",
    points=(
        Point(
            "way_back_kept",
            "When the ratio moved the wrong way the unclipped term is smaller, so its gradient survives.",
            (r"gradient.*(surviv|flow|kept)", r"unclipped( term)? is (the )?smaller", r"pull\w* (it )?back"),
        ),
        Point(
            "lower_bound",
            "The minimum makes a pessimistic lower bound of the surrogate objective.",
            (r"lower bound", r"pessimis", r"conservative"),
        ),
        Point(
            "not_bounded",
            "Clipping does not bound the ratio over many epochs.",
            (r"(not|never|doesn't) (bound|limit)\w* the ratio", r"ratio.*(drift|escape)", r"unbounded"),
        ),
    ),
    rungs=(Rung("Which term?", "The lower bound.", ("lower_bound",), ("a", "b")),),
    probes=(),
    misconceptions=(
        Misconception(
            "clip_bounds_ratio",
            "Believes clipping keeps the ratio inside.",
            (r"keeps the ratio (inside|within)", r"ratio can(not|'t|not ever) leave"),
            "What stops it?",
        ),
    ),
)


def assess(answer: str, asked: str = QUESTION.prompt) -> Assessment:
    """Return how the offline examiner judges an answer."""
    return OfflineExaminer().assess(QUESTION, asked, answer)


def states(answer: str, asked: str = QUESTION.prompt) -> dict[str, State]:
    """Return the states of the points by their ids."""
    return {point.id: point.state for point in assess(answer, asked).points}
