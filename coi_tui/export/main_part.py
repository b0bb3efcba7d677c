"""The main part of a proposal, three pages at most: a line on how it was made and what is open, then the idea for any reader.

It is assembled from texts of the session. What does not fit continues in the appendix, and the text says where.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from coi_tui.export.bibliography import Bibliography, reference
from coi_tui.export.earlier_work import sentence_spans
from coi_tui.export.provenance import ORIGINS, RECORDED, drafted, parts_of, recorded
from coi_tui.export.quoted_titles import named_in
from coi_tui.export.render import render_blocks
from coi_tui.export.repetition import Told
from coi_tui.export.sections import AppendixPart, title_of
from coi_tui.export.snapshot import NOT_MADE, ExportContext, SessionSnapshot
from coi_tui.export.support_section import marked_passage, marked_section
from coi_tui.export.warnings import warnings_of
from coi_tui.literature.citations import citations_in
from coi_tui.model.address import Branch, instance_of
from coi_tui.model.content import ExperimentPlan, IdeaContent
from coi_tui.model.document import Block, Manuscript, Paragraph, Passage, Section, papers_named
from coi_tui.model.wording import day

IN_SHORT = "In short"
WORDS = 2_500
"""Words of the main part at most, its title and its references counted."""
_OPENING = 150
"""Words of the line on how it was made and what is open."""

Places = Mapping[str, str]
"""Where the parts of the appendix stand, by their keys: ``{"novelty": "A.5"}``."""


def places_of(context: ExportContext, parts: Sequence[AppendixPart]) -> Places:
    """The place of each part by its key; of those about an idea the place of the one that the proposal is about."""
    return {part.key: part.place for part in parts if part.branch in (0, context.snapshot.branch)}


# -- how it was made and what is open ---------------------------------------------------------------------------------

_PLACED = {
    "Novelty INCONCLUSIVE": "novelty", "Close match": "novelty", "Novelty of another version": "novelty", "Not addressed": "review",
    "Unverified title": "works", "Unverified citation": "works", "Unsupported": "sentences",
}  # fmt: skip
"""The part of the appendix that has more on a kind of warning than the list of warnings."""


def opening(context: ExportContext, places: Places, *, marks: bool) -> str:
    """The line under the title, unescaped. ``marks``: the text has signs after sentences that stand on no paper."""
    snapshot = context.snapshot
    whose = context.options.main.origin if context.options.main is not None else _worksheet(snapshot)
    own = snapshot.methods.of_instance(instance_of(snapshot.branch)) if snapshot.branch is not None else None
    made = f"Exported {day(snapshot.exported_at)} from the session “{snapshot.name}”, made with {own.name if own else snapshot.method}"
    said = [whose, f"{made}{'' if whose else _written(snapshot)}{_at(places, 'provenance')}{_which(snapshot)}."]
    counts = Counter(warning.kind for warning in warnings_of(context))
    found = (
        f"{kind[0].lower()}{kind[1:]}{f' {n}' if n > 1 else ''}{_at(places, _PLACED.get(kind, 'warnings'))}" for kind, n in counts.items()
    )
    said.append(f"Open: {'; '.join(found)}." if counts else "Nothing is open: every part is complete, up to date and decided.")
    said += ["† after a sentence: no passage of the session's papers says it."] if marks else []
    hint = f"Appendix: coi export {snapshot.name} --appendix."
    return " ".join(filter(None, [*said, "" if context.options.appendix else hint]))


def _at(places: Places, key: str) -> str:
    return f" ({places[key]})" if key in places else ""


def _written(snapshot: SessionSnapshot) -> str:
    """By whom its idea and its plan were written."""
    found = (snapshot.state.in_use(f"{snapshot.branch}/{part}") for part in ("idea", "exp") if snapshot.branch is not None)
    return "".join(f", {said}" for said in dict.fromkeys(ORIGINS[version.origin] for version in found if version is not None))


def _which(snapshot: SessionSnapshot) -> str:
    """Which idea the proposal is about, and why that one."""
    branch, state = snapshot.branch, snapshot.state
    if branch is None:
        return ""
    if state.pick == branch:
        why = "picked by the researcher"
    elif snapshot.matches and snapshot.standings and snapshot.standings[0].player == branch:
        why = "the leader of the matches"
    elif [b for b in state.branches if state.in_use(f"{b}/idea") is not None] == [branch]:
        why = "the only idea"
    elif state.in_use(f"{branch}/exp") is not None:
        why = "the one that has an experiment plan"
    else:
        why = "the first; the ideas have not been compared"
    return f": idea {branch}, {why}"


def _worksheet(snapshot: SessionSnapshot) -> str:
    """What of it the built-in drafter wrote, or that it was recorded; empty for a text that a model wrote."""
    if recorded(snapshot):
        return RECORDED
    if not (own := drafted(snapshot)):
        return ""
    mixed = any(v.origin in ("model", "scripted") for v in snapshot.in_use().values())
    which = f"{parts_of(snapshot, own)} (all or in part)" if mixed else "every generated text"
    said = "The built-in drafter quotes the papers' cards by rule and leaves places to write over; this is no considered proposal."
    return f"Worksheet, drafted without a language model: {which}. {said}"


# -- the texts --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Text:
    """A text of the main part; ``part`` of the appendix has the rest of it, ``share`` are its words where room is short.

    ``more`` is what a method's manuscript has after the text; it goes where the text is cut.
    """

    title: str
    part: str
    passage: Passage
    share: int = 1_100
    more: tuple[Block | Section, ...] = ()
    cut: bool = False


def manuscript_of(context: ExportContext) -> Manuscript | None:
    """The method's own manuscript about the chosen idea."""
    chosen = context.snapshot.branch
    return next((found for found in context.method.manuscripts if chosen is not None and found.branch == chosen), None)


def title_of_proposal(context: ExportContext) -> str:
    """The title of the idea, else what the session is about; not escaped."""
    snapshot, own = context.snapshot, manuscript_of(context)
    if own is not None:
        return own.title
    if snapshot.branch is not None and snapshot.state.in_use(f"{snapshot.branch}/idea") is not None:
        return title_of(context, snapshot.branch)
    return str(snapshot.state.value("topic#text") or snapshot.name or "Untitled session")


def main_part(context: ExportContext, places: Places) -> list[Section]:
    """The sections between title and references, with a mark for each paper that they name and each sentence that no paper supports."""
    branch = context.snapshot.branch
    own = manuscript_of(context)
    found = _of_manuscript(own) if own is not None else _of_idea(context, branch) if branch is not None else ()
    texts = _fresh([*found])
    if not any(text.title != "Experiment" for text in texts):
        where = " What there is of each branch is in the appendix." if branch is None and context.state.branches else ""
        return [Section("The idea", (Paragraph(f"{NOT_MADE} No idea has been chosen.{where}" if branch is None else NOT_MADE),))]
    return [_section(context, text, places) for text in _fitted(context, texts)]


def _of_manuscript(own: Manuscript) -> Iterator[_Text]:
    if own.abstract is not None:
        yield _Text(IN_SHORT, "idea", own.abstract)
    for title, blocks in ((section.title, section.blocks) for section in own.sections):
        first = blocks[0] if blocks and isinstance(blocks[0], Passage) else None
        yield _Text(str(title), "chain", first or Passage("", ""), more=blocks[1:] if first else blocks)


def _of_idea(context: ExportContext, branch: Branch) -> Iterator[_Text]:
    """The texts of an idea and of its plan."""
    state, address, planned = context.state, f"{branch}/idea", f"{branch}/exp"
    idea, plan = state.read(address, IdeaContent) or IdeaContent(), state.read(planned, ExperimentPlan)
    yield _Text(IN_SHORT, "idea", _passage(context, address, idea.summary), 200)
    yield _Text("The idea", "idea", _passage(context, address, idea.final))
    if plan is None:
        yield _Text("Experiment", "idea", _passage(context, address, idea.evaluation or NOT_MADE), 450)
        return
    yield _Text("First decisive step", "experiment", _passage(context, planned, plan.decisive), 250)
    yield _Text("Experiment", "experiment", _passage(context, planned, plan.design), 450)
    yield _Text("Effort and risks", "experiment", _passage(context, planned, plan.effort), 250)


def _passage(context: ExportContext, address: str, text: str) -> Passage:
    version = context.state.in_use(address)
    return Passage(address, text.strip(), version.origin if version is not None else "model")


def _fresh(texts: Sequence[_Text]) -> list[_Text]:
    """The texts that say something which no other says: what stands in a longer one is left out of a shorter."""
    told = Told()
    fresh = {text: told.fresh(text.passage.text) for text in sorted(texts, key=lambda text: -len(text.passage.text))}
    return [replace(text, passage=replace(text.passage, text=fresh[text])) for text in texts if fresh[text] or text.more]


def _fitted(context: ExportContext, texts: list[_Text]) -> list[_Text]:
    """The texts within the bound: shorter is first the one that is furthest above its share, and in the end the longest."""
    while (over := _words(context, texts) - WORDS + _OPENING) > 0 and any(text.passage.text or text.more for text in texts):
        sizes = [len(text.passage.text.split()) + _words_of(text.more) for text in texts]
        above = [max(size - text.share, 0) for size, text in zip(sizes, texts, strict=True)]
        n = max(range(len(texts)), key=lambda n: (above[n], sizes[n]))
        texts[n] = _cut(texts[n], sizes[n] - min(over, above[n] or over))
    return texts


def _words(context: ExportContext, texts: Sequence[_Text]) -> int:
    """Words of texts with headings, citations and the references that they need."""
    passages = [_cited(context, text.passage) for text in texts]
    named = [*(paper for passage in passages for _, paper in passage.cited)]
    named += [paper for text in texts for paper in papers_named(Section("", text.more))]
    papers = {context.bibliography.same(paper) for paper in named if paper in context.state.papers}
    listed = sum(len(reference(context.state.papers[paper]).split()) + 2 for paper in papers)
    said = sum(len(f"{text.title} {passage.text}".split()) + 8 for text, passage in zip(texts, passages, strict=True))
    return listed + said + sum(_words_of(text.more) for text in texts)


def _words_of(blocks: tuple[Block | Section, ...]) -> int:
    return len(" ".join(render_blocks(Section("", blocks), Bibliography({}))).split()) if blocks else 0


def _cut(text: _Text, words: int) -> _Text:
    """The leading paragraphs of a text within so many words; of a first one that is too long its leading sentences; else nothing of it."""
    whole = text.passage.text
    ends = [found.start() for found in re.finditer(r"\n|\Z", whole)]
    sentences = [end for _, end in sentence_spans(whole[: ends[0]])]
    fits = [end for end in ends if len(whole[:end].split()) <= words] or [end for end in sentences if len(whole[:end].split()) <= words]
    return replace(text, passage=replace(text.passage, text=whole[: max(fits, default=0)].rstrip()), more=(), cut=True)


def _section(context: ExportContext, text: _Text, places: Places) -> Section:
    """A text under its heading; where it was cut, it ends with where it goes on."""
    passage = replace(text.passage, text=context.told.fresh(text.passage.text))
    where = ", ".join(filter(None, ["in the appendix", places.get(text.part, "")]))
    rest = (Paragraph(f"({'continued ' if passage.text else ''}{where})"),) if text.cut else ()
    more = marked_section(context, Section("", text.more)).blocks
    return Section(text.title, (_cited(context, marked_passage(context, passage)), *more, *rest))


def _cited(context: ExportContext, passage: Passage) -> Passage:
    """A text with a mark after the first mention of each paper of the session: by its title, or by authors and year."""
    said, papers, bibliography = passage.text, context.state.papers, context.bibliography
    named = [(title, bibliography.titles.find(title)) for title in named_in(said, bibliography.titles, context.own_words)]
    named += [(citation.text, bibliography.cited.find(citation)) for citation in citations_in(said)]
    named += [(name, paper) for name, paper in context.names if name in said]
    places = {(found.start(), -found.end()): paper for name, paper in named if paper is not None
              for found in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])[”\"'’]*", said)}  # fmt: skip
    marked, ends = {bibliography.same(paper) for _, paper in passage.cited if paper in papers}, [(0, "")]
    for (start, end), paper in sorted(places.items()):
        if bibliography.same(paper) not in marked and start >= ends[-1][0]:
            marked.add(bibliography.same(paper))
            ends.append((-end, paper))
    for end, paper in reversed(ends[1:]):
        said = f"{said[:end]} [{paper}]{said[end:]}"
    return replace(passage, text=said, cited=(*passage.cited, *((f"[{paper}]", paper) for _, paper in ends[1:])))
