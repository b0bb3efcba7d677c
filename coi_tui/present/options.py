"""What a person chooses about the proposal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Citations = Literal["plain", "pandoc"]
"""``plain``: ``[3]`` with a link to the list; ``pandoc``: ``[@key]``, for ``pandoc --citeproc``
with the list of references."""


@dataclass(frozen=True)
class ProposalOptions:
    """How the proposal is to be written: without ``appendix`` it is its main part alone.

    ``every_idea``: the appendix tells each idea in full with what its method says, not only the one
    that was picked or leads. ``notes``: it has the researcher's own, which are private otherwise.
    """

    citations: Citations = "plain"
    appendix: bool = False
    every_idea: bool = False
    notes: bool = False

    @property
    def pandoc(self) -> bool:
        return self.citations == "pandoc"


WITH_APPENDIX = ProposalOptions(appendix=True)
