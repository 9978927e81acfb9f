"""How the interviewer talks: persona, company style and strictness; they change tone and lead-in, never judging."""

from __future__ import annotations

from dataclasses import dataclass

# The settings offer the same names: `interviewer.config` lists them, because it cannot import the examiner.
PERSONAS = {
    "friendly": "warm and at ease; an interviewer who enjoys the subject and lets people think",
    "neutral": "even and matter-of-fact; neither warm nor cold",
    "skeptical": "dry and doubtful; an interviewer who takes no claim on trust and asks what it rests on",
}
STYLES = {
    "plain": "",
    "research_lab": "The company is a big research lab: speak of objectives, assumptions and ablations, in full words.",
    "startup_infra": "The company is a startup that builds infrastructure: speak of throughput, cost and what breaks.",
    "quant": "The company trades: terse, figures first, no small talk.",
}
STRICTNESS = {
    "lenient": "Before the question, one short neutral clause may take up the candidate's last words.",
    "standard": "Lead in with a few neutral words at most.",
    "strict": "No lead-in: the question at once, in as few words as it allows.",
}


@dataclass(frozen=True)
class Manner:
    """Hold one name of each list."""

    persona: str = "neutral"
    style: str = "plain"
    strictness: str = "standard"

    @property
    def text(self) -> str:
        """Return the manner as the prompt describes it."""
        parts = (f"{PERSONAS[self.persona]}.", STYLES[self.style], STRICTNESS[self.strictness])
        return " ".join(part for part in parts if part)
