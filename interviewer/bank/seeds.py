"""The project's own list of source items: what the questions and tasks must cover, by id."""

from __future__ import annotations

from pathlib import Path

from interviewer.bank.errors import SeedsError
from interviewer.bank.fields import Fields, read_toml

SEEDS = Path(__file__).parent / "seeds.toml"


def load_seeds(path: Path = SEEDS) -> dict[str, str]:
    """Return what each source item asks, by its id. Raises: SeedsError with all problems of the file."""
    table, problems = read_toml(path)
    seeds: dict[str, str] = {}
    if not problems:
        fields = Fields(table, f"{path}: ", problems)
        fields.integer("format", 1, 1)
        for one in fields.tables("seed"):
            seed, says = one.text("id"), one.text("says")
            one.finish()
            if seed in seeds:
                one.complain("id", f"'{seed}' is listed twice")
            seeds[seed] = says
        fields.finish()
    if problems:
        raise SeedsError(problems)
    return seeds
