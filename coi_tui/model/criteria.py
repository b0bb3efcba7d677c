"""Inclusion and exclusion rules of a session: which papers a machine may propose. A person may take
any paper all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from coi_tui.model.papers import Frozen, Paper
from coi_tui.model.text import clean_line

ADDRESS = "criteria"
FIELD = "rules"
REF = f"{ADDRESS}#{FIELD}"
MOST_WORDS = 40

_KINDS = (
    "literature|systematic|scoping|comprehensive|critical|brief|short|concise|selective|narrative|umbrella|integrative|mini|"
    "state-of-the-art|extensive|thorough|broad|in-depth|unified|general"
)
_SURVEY_TITLE = re.compile(
    r"\b(?:a|an|the) (?:[\w-]+ ){0,4}survey\b(?! (?:data|response|respondent|question|participant|instrument|design))"
    r"|^survey(?: (?:on|of|paper)|:|$)|[:\-–—] survey\b|\bsurvey (?:on|of|paper)\b|\bsurvey$|\bsurveying\b"
    rf"|\b(?:{_KINDS})(?: [\w-]+)? reviews?\b|^(?:a |an |the )?review (?:of|on)\b|[:\-–—] (?:a|an) (?:[\w-]+ ){{0,3}}review\b"
    r"|[:\-–—] review$|\ban? (?:[\w-]+ )?overview\b|[:\-–—] overview\b|^overview (?:of|on)\b|[:\-–—] a (?:[\w-]+ )?tutorial\b"
    r"|^(?:a )?tutorial (?:on|of)\b|\bmeta-?analysis\b|\bsystematic mapping\b|^(?:the )?state of the art (?:of|in|on)\b"
    r"|\brecent advances in\b",
    re.IGNORECASE,
)
_SURVEY_ABSTRACT = re.compile(
    r"\bthis (?:survey|review|overview|tutorial)\b|\b(?:this|the present|our) (?:paper|article|work|study) (?:surveys|reviews)\b"
    r"|\bin this (?:paper|article|work),? we (?:survey|review)\b"
    rf"|\bwe (?:present|provide|offer|conduct|give) (?:a|an) (?:(?:{_KINDS}) )?(?:literature )?(?:survey|review) (?:of|on)\b",
    re.IGNORECASE,
)


def _listed(words: Iterable[str]) -> tuple[str, ...]:
    """Words on one line each, without repeats. Raises ValueError for one that says nothing, and for
    too many."""
    found = tuple(dict.fromkeys(clean_line(word) for word in words))
    if any(not word.replace("*", "").strip() for word in found):
        raise ValueError("a word is empty")
    if len(found) > MOST_WORDS:
        raise ValueError(f"more than {MOST_WORDS} words")
    return found


Words = Annotated[tuple[str, ...], AfterValidator(_listed)]
Year = Annotated[int, Field(ge=1000, le=2999)]


class Criteria(Frozen):
    """What a paper must be to be proposed. Nothing set leaves nothing out.

    ``venues`` and ``words``: one of them must be said; ``without_venues`` and ``without_words``:
    none may be. A word is met as a whole word or phrase, its plural in s included, case aside; a
    star at its end means any ending. Words are looked for in title and abstract. ``citations``
    is the least number. Raises ValidationError (a ValueError) for rules that no paper can meet.
    """

    no_surveys: bool = False
    year_from: Year | None = None
    year_to: Year | None = None
    venues: Words = ()
    without_venues: Words = ()
    words: Words = ()
    without_words: Words = ()
    citations: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _in_order(self) -> Criteria:
        if (
            self.year_from is not None
            and self.year_to is not None
            and self.year_from > self.year_to
        ):
            raise ValueError(
                f"the years begin in {self.year_from}, after their end in {self.year_to}"
            )
        return self

    @classmethod
    def of(cls, rules: Mapping[str, Any] | None) -> Criteria:
        """The criteria behind stored rules; none where nothing is stored."""
        return cls.model_validate(dict(rules or {}))

    def rules(self) -> dict[str, Any]:
        """What was set, as JSON: the same rules give the same value."""
        return self.model_dump(mode="json", exclude_defaults=True)

    def __bool__(self) -> bool:
        return bool(self.rules())

    def lines(self) -> tuple[str, ...]:
        """Each rule in a few words."""
        words = {
            "published from": (self.year_from,),
            "published until": (self.year_to,),
            "venue": self.venues,
            "not the venue": self.without_venues,
            "title or abstract says one of": self.words,
            "title and abstract do not say": self.without_words,
            "citations at least": (self.citations,),
        }
        found = (
            (what, [str(one) for one in given if one is not None]) for what, given in words.items()
        )
        rules = tuple(f"{what}: {', '.join(given)}" for what, given in found if given)
        return ("no surveys", *rules) if self.no_surveys else rules


def is_survey(paper: Paper) -> bool:
    """True where the title or the abstract calls the paper a survey, a review, an overview or a
    tutorial of work by others."""
    return bool(
        _SURVEY_TITLE.search(paper.title)
        or (paper.abstract and _SURVEY_ABSTRACT.search(paper.abstract))
    )


def left_out(paper: Paper, criteria: Criteria) -> str:
    """Why the criteria leave a paper out, in a few words; empty where they do not.

    What is not known does not pass a rule that asks for it.
    """
    return next(iter(_reasons(paper, criteria)), "")


def _reasons(paper: Paper, c: Criteria) -> Iterator[str]:
    if c.no_surveys and is_survey(paper):
        yield "survey"
    yield from _reasons_of_year(paper.year, c.year_from, c.year_to)
    venue, text = paper.venue or "", f"{paper.title}\n{paper.abstract or ''}"
    if unwanted := _first_in(c.without_venues, venue):
        yield f"venue {unwanted}"
    if c.venues and not _first_in(c.venues, venue):
        yield f"venue is not {' or '.join(c.venues)}" if venue else "its venue is not known"
    if unwanted := _first_in(c.without_words, text):
        yield f"says “{unwanted}”"
    if c.words and not _first_in(c.words, text):
        yield "does not say " + " or ".join(f"“{word}”" for word in c.words)
    yield from _reasons_of_citations(paper.citations.count, c.citations)


def _reasons_of_year(year: int | None, first: int | None, last: int | None) -> Iterator[str]:
    if year is None and (first is not None or last is not None):
        yield "its year is not known"
    elif year is not None and first is not None and year < first:
        yield f"of {year}, before {first}"
    elif year is not None and last is not None and year > last:
        yield f"of {year}, after {last}"


def _reasons_of_citations(cited: int | None, least: int | None) -> Iterator[str]:
    if least is not None and cited is None:
        yield "its citations are not known"
    elif least is not None and cited is not None and cited < least:
        yield f"{cited} citations, fewer than {least}"


def _first_in(words: Iterable[str], text: str) -> str:
    """The first of the words that is in a text; empty where none is."""
    return next((word for word in words if _pattern(word).search(text)), "")


@lru_cache(maxsize=256)
def _pattern(word: str) -> re.Pattern[str]:
    stem = word.rstrip("*").strip()
    body = r"\s+".join(re.escape(part) for part in stem.split())
    ending = "" if word.endswith("*") else r"(?:s|es)?(?!\w)"
    return re.compile(rf"(?<!\w){body}{ending}", re.IGNORECASE)
