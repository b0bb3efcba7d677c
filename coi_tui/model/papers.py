"""Papers and the links between them, as facts with their evidence; the order in which sources of
papers are asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from coi_tui.model.errors import UsageError

BY_TOPIC: Final = "by topic and year, no link known"
LinkKind = Literal[
    "cites", "cites, unconfirmed", "by topic and year, no link known", "placed by you"
]
"""``cites``: found in a source; ``cites, unconfirmed``: asserted by the starter library without a
check; ``BY_TOPIC``: no source lists a citation; ``placed by you``: the researcher says so. In the
order in which candidates are taken."""


NOT_OWN = "not its own abstract"
_CITES = re.compile(r"\bet al\b|\[\d+(?:[,;–-]\s*\d+)*\]")
_OF_ONESELF = re.compile(
    r"\b(?:we|our|us|I|here|the authors?|this (?:paper|work|study|article|thesis|survey|report"
    r"|poster|research|approach|method))\b",
    re.IGNORECASE,
)


class Frozen(BaseModel):
    """Base of the domain's value types: immutable, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Citations(Frozen):
    """How often a paper is cited, and who says so. ``read`` is the ISO date on which the number was
    read."""

    count: int | None = None
    source: str | None = None
    read: str | None = None


class Entity(Frozen):
    """A named thing of a paper (model, data set, metric, term) with a short description."""

    name: str
    description: str = ""


class Paper(Frozen):
    """A paper as one or more sources describe it. What a source does not say is None, never
    guessed.

    ``id`` is the key used everywhere in a session: ``arXiv:2201.11903``, ``DOI:10.1/x``, ``S2:<40
    hex>``, or (starter library only)
    ``title:<slug>``. ``ids`` holds every known identifier by scheme (arXiv, DOI, S2, CorpusId,
    OpenAlex, ACL, PMID).
    ``abstract`` is the abstract or, for the starter library, the project's own summary
    (``abstract_kind`` says which).
    ``published`` is ISO ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``.
    ``known_links`` counts the papers that the source can list as (citing it, cited by it); None
    where it does not say beforehand.
    ``notices``: what was published about it later (``retraction 2010-02-06, DOI:10.1/x``), and of a
    notice what it is about.
    ``citation_key``: what the researcher's own list of papers cites it by; empty elsewhere.
    """

    id: str
    ids: Mapping[str, str] = Field(default_factory=dict)
    title: str
    year: int | None = None
    published: str | None = None
    authors: tuple[str, ...] = ()
    venue: str | None = None
    abstract: str | None = None
    abstract_kind: Literal["abstract", "summary"] = "abstract"
    citations: Citations = Citations()
    open_pdf: str | None = None
    url: str | None = None
    source: str = ""
    limitations: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    known_links: tuple[int, int] | None = None
    notices: tuple[str, ...] = ()
    citation_key: str = ""

    @property
    def retracted(self) -> bool:
        """Whether a notice takes it back. False says nothing where nobody asked."""
        return any(one.startswith(("retract", "withdraw", "remov")) for one in self.notices)

    @property
    def own_abstract(self) -> bool:
        """False for an abstract that is none: a line or two, or sentences in which others cite the
        paper."""
        text = self.abstract or ""
        least = 120 if _CITES.search(text) else 20 if _OF_ONESELF.search(text) else 40
        return not text or len(text.split()) >= least

    @property
    def can_grow(self) -> bool:
        """False only when the source knows that one of the two lists is empty: a chain could then
        grow on one side alone."""
        return self.known_links is None or min(self.known_links) > 0

    @property
    def when(self) -> str:
        """Sortable date: ``published``, else the year, else empty. An unknown month sorts as
        January (semantic-scholar.md, 5)."""
        if self.published:
            return self.published
        return f"{self.year:04d}" if self.year is not None else ""

    def short(self) -> str:
        """``Wei et al. 2022`` or as much of it as is known."""
        who = self.authors[0].split()[-1] if self.authors else "Unknown"
        more = " et al." if len(self.authors) > 1 else ""
        return f"{who}{more} {self.year if self.year is not None else 'n.d.'}"

    @property
    def cited(self) -> str:
        """``Title (2022, DOI:10.1/x)``: enough to tell papers of one title apart."""
        return f"{self.title} ({self.year or 'n.d.'}, {self.id})"


class Link(Frozen):
    """``citing`` cites ``cited`` (paper ids), with the evidence for it in words. ``contexts``: the
    first few of the sentences that cite it, where the source gives them."""

    citing: str
    cited: str
    kind: LinkKind
    evidence: str = ""
    contexts: tuple[str, ...] = ()


class PaperText(Frozen):
    """What of a paper could be read. ``kind`` labels it wherever the text is used (COI-3)."""

    paper: str
    kind: Literal["full text", "abstract", "summary", "none"]
    text: str = ""
    note: str = ""


def order_key(paper: Paper) -> tuple[str, str]:
    """Old to new, then by id, so that equal dates keep one order on every machine."""
    return (paper.when, paper.id)


def strictly_older(a: Paper, b: Paper) -> bool:
    """True when ``a`` may stand before ``b`` in a chain: both years known and ``a`` not newer.

    Compared at the coarser of the two precisions, so that ``2022`` and ``2022-05`` count as the
    same time.
    """
    if a.year is None or b.year is None:
        return False
    n = min(len(a.when), len(b.when))
    return a.when[:n] <= b.when[:n]


_NOT_ALONE = frozenset(
    ["id", "ids", "abstract", "abstract_kind", "citations", "published", "known_links", "notices"]
)
"""Values that mean nothing without their source, and those that stay as they are."""


def _is_in(day: str | None, year: int | None) -> bool:
    """Whether there is a day, and it is of that year where one is known."""
    return bool(day) and (year is None or str(day).startswith(f"{year:04d}"))


def fill_missing(old: Paper, new: Paper) -> Paper:
    """``old``, with what it does not say taken from ``new``. A value that is there is never
    replaced.

    An abstract comes with its kind, a citation count with its source and date, and a day only from
    a source that agrees on the year.
    """
    more: dict[str, Any] = {
        name: getattr(new, name)
        for name in Paper.model_fields
        if name not in _NOT_ALONE and not getattr(old, name) and getattr(new, name)
    }
    if new.ids.keys() - old.ids.keys():
        more["ids"] = {**old.ids, **new.ids, **old.ids}
    if not old.abstract and new.abstract:
        more |= {"abstract": new.abstract, "abstract_kind": new.abstract_kind}
    if old.citations.count is None and new.citations.count is not None:
        more["citations"] = new.citations
    if new.notices:
        more["notices"] = tuple(dict.fromkeys((*old.notices, *new.notices)))
    if not old.published and _is_in(new.published, old.year if old.year is not None else new.year):
        more["published"] = new.published
    return old.model_copy(update=more)


Order = tuple[str, ...]
"""Names of sources of papers, the first asked first."""


def read_order(given: str | Iterable[Any]) -> Order:
    """An order from names in a list or between commas; ``Semantic Scholar`` is ``semantic_scholar``.
    Raises UsageError where a source is named twice. Whether there is such a source is not asked."""
    parts = given.split(",") if isinstance(given, str) else map(str, given)
    names = ("_".join(part.replace("-", " ").replace("_", " ").lower().split()) for part in parts)
    order = tuple(filter(None, names))
    if twice := next((name for n, name in enumerate(order) if name in order[:n]), ""):
        raise UsageError(
            f"{twice} is named twice in the order of sources.", "Name each source once."
        )
    return order
