"""An idea's claims against a paper (COI-12): passages that are really in it, and the verdict that
follows from them by rule."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, get_args

from coi_tui.literature.ranking import content_words
from coi_tui.methods.base.replies import ClaimKind, ClaimVerdict
from coi_tui.model.address import Branch, ref
from coi_tui.model.content import NO_PASSAGE, ClaimCell, IdeaClaim
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clipped, sentences

Closeness = Literal["close match", "partial", "not close"]
KINDS: tuple[str, ...] = get_args(ClaimKind)
MECHANISM = "mechanism"
MOST_CLAIMS = 8
"""So many claims of a person are searched for and compared; a model is asked for fewer."""
QUERY_WORDS = 12
"""Most words of the search for a claim that a person wrote."""
FEWEST_WORDS = 3
"""A passage of fewer words shows nothing."""
_GAP = re.compile(r"\[?(?:\.\.\.|…)\]?")


# -- a person's claims


def stored_claims(state: State, branch: Branch) -> Any:
    """The claims that a person wrote, as their cell stores them; None where there are none."""
    return state.value(ref(f"{branch}/claims", "claims"))


def of_person(rows: Sequence[Mapping[str, Any]] | None) -> list[IdeaClaim]:
    """Claims that a person wrote, a line each (``mechanism: ...``), with the words to search for. A
    line of no known kind has none."""
    found = []
    for row in rows or ():
        name, text = (str(row.get(part, "")).strip() for part in ("name", "description"))
        kind = name.casefold() if name.casefold() in KINDS and text else ""
        said = text if kind else ": ".join(filter(None, (name, text)))
        if said:
            query = " ".join(list(content_words(said).values())[:QUERY_WORDS]) or said
            found.append(IdeaClaim(kind=kind, text=said, queries=[query]))
    return found[:MOST_CLAIMS]


# -- what is shown of a paper


def bearing_on(text: str, claims: Sequence[str], most: int) -> str:
    """The sentences of an abstract that share most words with each claim, then with all of them, in
    their order; gaps are shown.

    About ``most`` words: a sentence that does not fit is left out, but one is always there.
    """
    said, kept, room = sentences(text), set[int](), most
    words = [set(content_words(sentence)) for sentence in said]
    roots = [set(content_words(claim)) for claim in claims]
    whole, places = set[str]().union(*roots), range(len(said))
    order = [max(places, key=lambda n: len(words[n] & claim)) for claim in roots if said]
    order += sorted(places, key=lambda n: -len(words[n] & whole))
    for n in dict.fromkeys(order):
        if not kept or len(said[n].split()) <= room:
            kept.add(n)
            room -= len(said[n].split())
    shown = (said[n] if n in kept else "[...]" for n in places)
    return clipped(" ".join(part for part, _ in groupby(shown)), most + len(said))


# -- passages


def contains_quote(passage: str, text: str) -> bool:
    """Whether a passage is in a text word for word. Spelling of quotes, dashes, capitals and
    spaces does not count.

    What an ellipsis leaves out may be missing; the parts around it must follow each other.
    """
    parts = [words for part in _GAP.split(passage) if (words := _words(part))]
    if sum(len(part.split()) for part in parts) < FEWEST_WORDS:
        return False
    pattern = r"\b.*\b".join(map(re.escape, parts))
    return re.search(rf"\b{pattern}\b", _words(text)) is not None


def _words(text: str) -> str:
    """The words of a text in lower case, with one space between them."""
    return " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold()))


def cells(said: Iterable[ClaimVerdict], number: int, paper: Paper) -> list[ClaimCell]:
    """A cell for each of ``number`` claims. A passage that is not in the paper's title or abstract
    is dropped.

    A claim that the reply leaves out, and one of which it says different things, has no passage.
    """
    found: dict[int, ClaimVerdict | None] = {}
    for verdict in said:
        found[verdict.claim] = verdict if found.get(verdict.claim, verdict) == verdict else None
    text = f"{paper.title}\n{paper.abstract or ''}"
    return [_checked(n, found.get(n), text) for n in range(1, number + 1)]


def _checked(number: int, said: ClaimVerdict | None, text: str) -> ClaimCell:
    if said is None or said.judgement == NO_PASSAGE:
        return ClaimCell(claim=number)
    if not contains_quote(said.passage, text):
        return ClaimCell(claim=number, said=said.judgement)
    return ClaimCell(claim=number, judgement=said.judgement, passage=said.passage.strip())


def closeness(
    row: Sequence[ClaimCell], kinds: Sequence[str], wanted: Sequence[str] = ()
) -> Closeness:
    """The verdict on a paper from its cells; ``kinds`` are those of the claims. ``wanted``: the
    kinds that a close match has to contain, each of them; where the idea has no claim of one of
    these, and where none are named, the usual rule holds.

    A close match is a paper with passages that say the same as the mechanism and as at least one
    other claim (as the mechanism alone, where the idea has no other claim). Where no claim is
    called the mechanism, the first one is it. A paper that shares any claim otherwise is partial,
    also where the passage that was named for it is not in the paper: what a model took to be
    shared is not called far.
    """
    same = [n for n, cell in enumerate(row) if cell.judgement == "same"]
    contained = [kinds[n] for n in same]
    if wanted and set(wanted) <= set(kinds):
        contains = set(wanted) <= set(contained)
    else:
        core = MECHANISM in contained if MECHANISM in kinds else 0 in same
        contains = core and len(contained) >= min(2, len(kinds))
    if contains:
        return "close match"
    shared = any({cell.judgement, cell.said} & {"same", "overlaps"} for cell in row)
    return "partial" if shared else "not close"


def overlap(row: Sequence[ClaimCell], kinds: Sequence[str]) -> str:
    """What a paper shares with the idea, in short: ``mechanism (same), setting (overlaps)``."""
    return ", ".join(
        f"{kinds[n] or f'claim {n + 1}'} ({cell.judgement})"
        for n, cell in enumerate(row)
        if cell.judgement in ("same", "overlaps")
    )
