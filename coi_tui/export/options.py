"""What a person chooses about the proposal: whether it has its appendix, with which parts, and the
form of its citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from coi_tui.model.errors import UsageError

PARTS = {
    "idea": "the idea part by part",
    "chain": "chain and trends",
    "novelty": "novelty evidence",
    "experiment": "experiment plan",
    "review": "review points and answers",
    "diagram": "the chain as a diagram (Mermaid)",
    "ideas": "other ideas and ratings",
    "table": "all ideas as a table",
    "reading": "reading list",
    "notes": "my notes",
    "provenance": "how it was made",
}
"""Parts of the appendix that may be left out or put in another order. Warnings, topic and what the
texts cite are always there."""

USUAL = tuple(part for part in PARTS if part not in ("diagram", "table", "notes"))
"""Notes are private, a diagram is code where nobody draws it, and a table says again what is said:
these only where they are asked for."""

Citations = Literal["plain", "pandoc"]
"""``plain``: ``[3]`` with a link to the list; ``pandoc``: ``[@key]``, for ``pandoc --citeproc``
with the list of references."""


@dataclass(frozen=True)
class ProposalOptions:
    """How the proposal is to be written: without ``appendix`` it is its main part alone, and
    ``parts`` are those of the appendix.

    ``cited_only``: the files of references hold what it cites, and no other paper of the session.
    ``every_idea``: the appendix tells each idea in full with what its method says, not only the one
    that was picked or leads.
    """

    parts: tuple[str, ...] = USUAL
    citations: Citations = "plain"
    cited_only: bool = False
    every_idea: bool = False
    appendix: bool = False

    @property
    def pandoc(self) -> bool:
        return self.citations == "pandoc"


WITH_APPENDIX = ProposalOptions(appendix=True)


def parts_from(names: Sequence[str]) -> tuple[str, ...]:
    """Parts by their names, each once; case and blanks do not count. Raises UsageError for a name
    that is none, and for no name at all."""
    names = [name for given in names if (name := given.strip().casefold())]
    if unknown := [name for name in names if name not in PARTS]:
        raise UsageError(
            f"The appendix has no part {unknown[0]!r}.", f"Its parts are {', '.join(PARTS)}."
        )
    if not names:
        raise UsageError("No part of the appendix is named.", f"Its parts are {', '.join(PARTS)}.")
    return tuple(dict.fromkeys(names))
