"""Inclusion and exclusion rules of a session: which papers a machine may propose. A person may take
any paper all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from coi_tui.model.papers import Frozen, Paper
from coi_tui.model.text import clean_line, count

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
    star at its end stands for any ending. Words are looked for in title and abstract. ``citations``
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
        """The criteria behind kept rules; none where nothing is kept."""
        return cls.model_validate(dict(rules or {}))

    def rules(self) -> dict[str, Any]:
        """What was set, as JSON: the same rules give the same value."""
        return self.model_dump(mode="json", exclude_defaults=True)

    def __bool__(self) -> bool:
        return bool(self.rules())

    def lines(self) -> tuple[str, ...]:
        """Each rule in a few words."""
        return tuple(line for line in self._lines() if line)

    def _lines(self) -> Iterable[str]:
        yield "no surveys" if self.no_surveys else ""
        yield _years(self.year_from, self.year_to)
        yield f"venue: {', '.join(self.venues)}" if self.venues else ""
        yield f"not the venue: {', '.join(self.without_venues)}" if self.without_venues else ""
        yield f"title or abstract says one of: {', '.join(self.words)}" if self.words else ""
        yield (
            f"title and abstract do not say: {', '.join(self.without_words)}"
            if self.without_words
            else ""
        )
        yield f"at least {count(self.citations, 'citation')}" if self.citations is not None else ""


def _years(first: int | None, last: int | None) -> str:
    if first is None and last is None:
        return ""
    if first == last:
        return f"published {first}"
    if last is None:
        return f"published {first} or later"
    return f"published {last} or earlier" if first is None else f"published {first} to {last}"


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
    return next((why for why in _reasons(paper, criteria) if why), "")


def _reasons(paper: Paper, c: Criteria) -> Iterable[str]:
    yield "survey" if c.no_surveys and is_survey(paper) else ""
    yield _year_reason(paper.year, c)
    yield _venue_reason(paper.venue or "", c)
    yield _word_reason(f"{paper.title}\n{paper.abstract or ''}", c)
    yield _citation_reason(paper.citations.count, c)


def _venue_reason(venue: str, c: Criteria) -> str:
    if unwanted := _said(c.without_venues, venue):
        return f"venue {unwanted}"
    if not c.venues or _said(c.venues, venue):
        return ""
    return f"venue is not {' or '.join(c.venues)}" if venue else "its venue is not known"


def _word_reason(text: str, c: Criteria) -> str:
    if unwanted := _said(c.without_words, text):
        return f"says “{unwanted}”"
    if not c.words or _said(c.words, text):
        return ""
    return "does not say " + " or ".join(f"“{word}”" for word in c.words)


def _citation_reason(count: int | None, c: Criteria) -> str:
    if c.citations is None or (count is not None and count >= c.citations):
        return ""
    return (
        "its citations are not known"
        if count is None
        else f"{count} citations, fewer than {c.citations}"
    )


def _year_reason(year: int | None, c: Criteria) -> str:
    if c.year_from is None and c.year_to is None:
        return ""
    if year is None:
        return "its year is not known"
    if c.year_from is not None and year < c.year_from:
        return f"of {year}, before {c.year_from}"
    return f"of {year}, after {c.year_to}" if c.year_to is not None and year > c.year_to else ""


def _said(words: Iterable[str], text: str) -> str:
    """The first of the words that a text says; empty where it says none."""
    return next((word for word in words if _pattern(word).search(text)), "")


@lru_cache(maxsize=256)
def _pattern(word: str) -> re.Pattern[str]:
    stem = word.rstrip("*").strip()
    body = r"\s+".join(re.escape(part) for part in stem.split())
    ending = "" if word.endswith("*") else r"(?:s|es)?(?!\w)"
    return re.compile(rf"(?<!\w){body}{ending}", re.IGNORECASE)
