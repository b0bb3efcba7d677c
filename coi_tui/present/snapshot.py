"""What an export is made from: a session at the moment of its export with what a reader must know
of it (warnings, and how it was made), and what a person chooses about the proposal (COI-16)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from coi_tui.arena.ratings import Standing
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.evidence.cards import NOT_FOUND, OTHERWISE
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import PAIR, Branch, cell_at, cell_ref, in_order, instance_of
from coi_tui.model.content import CLOSENESS, NoveltyReport, RivalsContent
from coi_tui.model.document import (
    Block,
    ProposalWarning,
    Section,
    bulleted,
    plain_table,
)
from coi_tui.model.entries import Call, Decision, Version
from coi_tui.model.fold import undone_groups
from coi_tui.model.money import ASKING, Money
from coi_tui.model.reviewing import answering, point_status, points_of
from coi_tui.model.state import State
from coi_tui.model.text import clipped, count, listed, moment, sentence, strings
from coi_tui.present.bibliography import Mention
from coi_tui.present.cells import document, verdict_text


@dataclass(frozen=True)
class ProposalOptions:
    """How the proposal is to be written: without ``appendix`` it is its main part alone.

    ``every_idea``: the appendix shows each idea in full, not only the one that was picked or leads.
    ``notes``: it has the researcher's own, which are private otherwise.
    """

    appendix: bool = False
    every_idea: bool = False
    notes: bool = False
    citations: Literal["numbers", "pandoc"] = "numbers"
    """How Markdown cites: by numbers, or by the keys of the references as BibTeX (``[@wei2022chain]``),
    which pandoc reads."""


WITH_APPENDIX = ProposalOptions(appendix=True)


@dataclass(frozen=True)
class SessionSnapshot:
    """A session at the moment of its export.

    ``fresh`` is the status word by address (fresh, kept, stale, upstream, missing), ``failures``
    the cause by address; ``calls`` are without replies; ``damage``: what of the session file is not
    as it was written, a sentence each. ``branch``: that of the idea which the proposal is about,
    None where none has been chosen yet.
    """

    name: str
    method: str
    exported_at: str
    state: State
    fresh: Mapping[str, str]
    standings: Sequence[Standing]
    calls: Sequence[Call]
    decisions: Sequence[Decision]
    failures: Mapping[str, str]
    damage: Sequence[str]
    branch: Branch | None
    to_decide: int
    """How many rows ask for a decision, as the screen counts them."""
    methods: SessionMethods
    own_keys: Mapping[str, str]
    """What the researcher's own library cites papers by."""

    @cached_property
    def undone(self) -> set[str]:
        """Groups of decisions that were undone."""
        return undone_groups(self.decisions)

    @cached_property
    def in_use(self) -> dict[str, Version]:
        """The version in use of every cell that has one, by address."""
        addresses = sorted(self.state.cells, key=in_order)
        return {at: found for at in addresses if (found := self.state.in_use(at))}

    def document(self, address: str) -> tuple[Block, ...]:
        """What there is to read at an address."""
        return tuple(document(self.state, self.methods.kind(address), address))

    def name_of(self, address: str) -> str:
        """A cell in words: ``the idea (1/idea)``."""
        return f"the {self.methods.kind(address).title.lower()} ({address})"

    @property
    def origins(self) -> Counter[str]:
        """How many texts in use came from where."""
        return Counter(version.origin for version in self.in_use.values())

    @property
    def written(self) -> list[str]:
        """Addresses of texts in use that a person wrote or edited."""
        return [address for address, version in self.in_use.items() if version.by_person]

    @property
    def own_words(self) -> float:
        """The share of the words of all texts in use, 0 to 1, that a person wrote: of an edited
        text those that the text before it has not."""
        from rapidfuzz.distance import LCSseq

        own = every = 0
        for version in self.in_use.values():
            if version.origin == "source":
                continue
            words = _words(version)
            every += len(words)
            if version.by_person:
                before = (p for n in version.parents if (p := self.state.versions.get(n)))
                own += len(words) - LCSseq.similarity(_words(next(before, None)), words)
        return own / every if every else 0.0

    @property
    def models(self) -> Counter[tuple[str, str]]:
        """How many calls, by the model asked and the model that served."""
        return Counter((c.model_asked, c.model_served) for c in self.calls if c.kind in ASKING)

    @property
    def prompts(self) -> list[tuple[str, str, str, bool, int]]:
        """Every prompt that was sent: name, version, hash, whether it is a person's own copy,
        calls."""
        own_copies = {
            str(recipe.get("hash"))
            for version in self.state.versions.values()
            for recipe in (version.recipe, *version.recipe.values())
            if isinstance(recipe, Mapping) and recipe.get("overridden")
        }
        uses = Counter(
            (call.prompt, str(call.request.get("version")), str(call.request.get("prompt_hash")))
            for call in self.calls
            if call.prompt and call.request.get("prompt_hash")
        )
        return [(*use, use[2] in own_copies, n) for use, n in sorted(uses.items())]


# -- warnings

MOST_LINES, WORDS = 5, 40
_STATUS = {
    "stale": ("Stale", "made from what has changed since then"),
    "upstream": ("Stale upstream", "resting on what is stale"),
}
WAYS = {
    "Damaged": "What is lost: coi verify {name}.",
    "Failed": "Try again: coi resume {name}.",
    "Unfinished": "Go on: coi resume {name}; or choose: coi decide {name} ADDRESS pick.",
    "Retracted": "x on its row in the app leaves it out. What rests on it: coi why {name} {at}.",
    "Close match": "Have the idea differ: coi decide {name} {at} tick PAPER, then coi refresh {name}.",
    "Novelty INCONCLUSIVE": "With a language model, search again: coi ideas novelty {name} {at}.",
    "Stale": "Bring up to date: coi refresh {name}.",
    "Stale upstream": "Bring up to date: coi refresh {name}.",
    "Rejected": "Write it anew: coi edit {name} {at} --file FILE.",
    "Missing citations": "Mend it: coi edit {name} {at} --file FILE.",
    "Unconfirmed title": "Mend it: coi edit {name} {at} --file FILE.",
    "Not made yet": "Go on: coi resume {name}.",
    "Gap": "Fill it: coi decide {name} ADDRESS use RANK.",
    "Short chain": "Add a paper: coi decide {name} ADDRESS pin ID.",
    "Unconfirmed link": "Take another paper: coi decide {name} {at} use RANK.",
    "Weak evidence": "Accept it: coi decide {name} {at} accept.",
    "Not read": "Try again: coi refresh {name} {at} --again.",
    "Not addressed": "Answer one: coi decide {name} {at} tick NUMBER, then coi ideas refine {name} {at}.",
}
"""The way out of each kind of warning, the gravest first; one of an installed method comes last."""
_MARKS = ("Undecided", "Unverified title", "Unverified citation")
"""What is only to be counted: where it belongs it has its mark."""
_BY_ADDRESS = ("Stale", "Stale upstream", "Undecided")
"""Kinds of which one warning is about each of its addresses."""
_FOUND = ("question", "bad cases", "candidates", "verdicts", "rivals")
"""Roles of cells that a proposal shows no text of."""


def _words(version: Version | None) -> list[str]:
    """The words of a text, field by field."""
    return " ".join(strings(version.content)).split() if version else []


def warnings_of(
    snapshot: SessionSnapshot,
    shown: Sequence[Branch],
    of_method: Sequence[ProposalWarning],
    unverified: Sequence[Mention],
) -> list[ProposalWarning]:
    """Every warning about a proposal that shows these branches, the gravest first, and marks."""
    found = [*_of_session(snapshot, shown), *of_method]
    for branch in shown:
        found += _of_branch(snapshot, branch)
    for work in unverified:
        text = f"{work.text} is named in {', '.join(work.where)}: {work.status}."
        asked = work.status.startswith((NOT_FOUND, OTHERWISE))
        kind = "Unconfirmed title" if asked else f"Unverified {work.kind}"
        found.append(ProposalWarning(kind, text, tuple(work.where)))
    order = [*WAYS, *_MARKS]
    return sorted(found, key=lambda w: order.index(w.kind) if w.kind in order else len(WAYS))


def _of_session(snapshot: SessionSnapshot, shown: Sequence[Branch]) -> Iterator[ProposalWarning]:
    """What is damaged, failed or unfinished; then the cells shown that are not fresh, and those
    that the person rejected."""
    state = snapshot.state
    for damage in snapshot.damage:
        text = f"the session file is not as it was written: {sentence(damage)}"
        yield ProposalWarning("Damaged", text)
    for at, cause in sorted(snapshot.failures.items(), key=lambda f: in_order(f[0])):
        text = f"{snapshot.name_of(at)} failed: {sentence(cause)}"
        yield ProposalWarning("Failed", text, (at,))
    if snapshot.branch is None:
        what = "idea has been chosen" if state.branches else "branch has been made"
        yield ProposalWarning("Unfinished", f"no {what} yet.")
    cells = [at for at in sorted(state.cells, key=in_order) if _is_shown(state, shown, at)]
    for status, (kind, why) in _STATUS.items():
        if old := tuple(at for at in cells if snapshot.fresh.get(at) == status):
            yield ProposalWarning(kind, f"{why}: {listed(old)}.", old)
    for at in cells:
        if state.cell(at).rejected and state.in_use(at):
            text = f"{snapshot.name_of(at)} was rejected by the researcher and is shown unchanged."
            yield ProposalWarning("Rejected", text, (at,))


def counted(warnings: Sequence[ProposalWarning]) -> str:
    """How many warnings and marks of each kind there are."""
    counts = Counter[str]()
    for one in warnings:
        counts[one.kind] += len(one.addresses) if one.kind in _BY_ADDRESS else 1
    return "; ".join(
        f"{kind[0].lower()}{kind[1:]}{f' {n}' if n > 1 else ''}" for kind, n in counts.items()
    )


def warning_lines(snapshot: SessionSnapshot, warnings: Sequence[ProposalWarning]) -> list[str]:
    """The gravest kinds of warnings, a line with the way out for each: the first of its kind, and
    how many more there are. The last line counts what is beyond."""
    kinds = defaultdict[str, list[ProposalWarning]](list)
    for one in warnings:
        if one.kind not in _MARKS:
            kinds[one.kind].append(one)
    lines = [
        f"{kind}: {clipped(first.text, WORDS)} {f'And {len(more)} more. ' if more else ''}"
        + WAYS.get(kind, "").format(name=snapshot.name, at=next(iter(first.addresses), ""))
        for kind, (first, *more) in kinds.items()
    ]
    if len(lines) > MOST_LINES:
        rest = [one for kind in list(kinds)[MOST_LINES - 1 :] for one in kinds[kind]]
        more = f"{len(rest)} more: {counted(rest)}. All: coi export {snapshot.name} --format json."
        lines[MOST_LINES - 1 :] = [more]
    return [line.strip() for line in lines]


def _is_shown(state: State, shown: Sequence[Branch], address: str) -> bool:
    """Whether a proposal uses what is at an address: all of the branches shown, ideas and novelty
    of the others. A trend between papers that are not both in the chain waits there."""
    at = cell_ref(address)
    if at.kind == PAIR and address not in Chains.of(state).pairs(at.branch):
        return False
    inside = {*shown, *(instance_of(branch) for branch in shown)} - {""}
    return at.branch in inside or at.kind in ("topic", "match", "idea", "nov")


def _of_branch(snapshot: SessionSnapshot, branch: Branch) -> Iterator[ProposalWarning]:
    state = snapshot.state
    yield from _of_papers(state, branch)
    if texts := tuple(at for at in snapshot.in_use if _is_unread(snapshot, branch, at)):
        text = f"no person has accepted or edited these generated texts: {listed(texts)}."
        yield ProposalWarning("Undecided", text, texts)
    missing = {at: word for at, word in _expected(snapshot, branch) if state.in_use(at) is None}
    if missing:
        text = f"branch {branch}: {', '.join(missing.values())}."
        yield ProposalWarning("Not made yet", text, tuple(missing))
    at = cell_at(branch, "nov")
    report = state.read(at, NoveltyReport)
    if report and report.verdict not in CLOSENESS[1:]:
        kind, why = report.verdict.capitalize(), verdict_text(report)
        if not report.concludes:
            kind, why = "Novelty INCONCLUSIVE", report.reason
        yield ProposalWarning(kind, f"branch {branch}: {why}", (at,))
    yield from _of_review(state, branch)


def _of_papers(state: State, branch: Branch) -> Iterator[ProposalWarning]:
    """The papers of the chain that nobody accepted, and those read here that were retracted."""
    slots, rivals = Chains.of(state).filled(branch), cell_at(branch, "rivals")
    if papers := tuple(s.address for s in slots if s.verdict == "proposed"):
        text = f"proposed and never accepted by a person: {listed(papers)}."
        yield ProposalWarning("Undecided", text, papers)
    near = state.read(rivals, RivalsContent) or RivalsContent()
    read = dict.fromkeys((work.paper for work in near.works), rivals)
    read |= {slot.paper: slot.address for slot in slots if slot.paper}
    gone = [p for paper in reversed(read) if (p := state.papers.get(paper)) and p.retracted]
    if gone:
        text = listed([f"“{p.title}” ({read[p.id]}; {', '.join(p.notices)})" for p in gone])
        yield ProposalWarning("Retracted", f"{text}.", tuple(read[p.id] for p in gone))


def _of_review(state: State, branch: Branch) -> Iterator[ProposalWarning]:
    if (one := answering(state, branch)) is None:
        return
    numbers = [
        str(point.n)
        for point in points_of(state, branch, one.review)
        if point_status(state, branch, one, point) in ("open", "ticked", "not addressed")
    ]
    if numbers:
        text = f"of the review of branch {branch} without an answer: {listed(numbers)}."
        yield ProposalWarning("Not addressed", f"points {text}", (cell_at(branch, "review"),))


def _is_unread(snapshot: SessionSnapshot, branch: Branch, address: str) -> bool:
    """Whether a text of a branch waits for a person's verdict."""
    at, state, kind = cell_ref(address), snapshot.state, snapshot.methods.kind(address)
    if at.branch != branch or not _is_shown(state, [branch], address):
        return False
    if at.form == "attached" and Chains.of(state).slot(at.slot).paper is None:
        return False
    # choosing one sketch decides about all
    if not kind.editable or "accept" not in kind.decisions or kind.role == "sketch":
        return False
    cell = state.cell(address)
    return cell.lock is None and not cell.rejected and not snapshot.in_use[address].by_person


def _expected(snapshot: SessionSnapshot, branch: Branch) -> Iterator[tuple[str, str]]:
    """Addresses and names of the texts that a finished branch has; plan and review only where an
    idea has been chosen."""
    method = snapshot.methods.of_instance(instance_of(branch))
    for kind in method.kinds if method else ():
        at = cell_ref(kind.pattern)
        made = kind.content is not None and bool(kind.stage) and not (kind.shared or at.item)
        later = kind.optional and snapshot.branch != branch
        if not made or later or kind.role in _FOUND:
            continue
        title = kind.title.lower()
        if kind.name == PAIR:
            for pair in Chains.of(snapshot.state).pairs(branch):
                yield pair, f"{title} {pair}"
        elif at.form != "attached":
            yield cell_at(branch, kind.name), title


# -- how it was made

ORIGINS = {
    "model": "written by a language model",
    "drafter": "written by the built-in drafter, without a language model",
    "scripted": "written by a scripted model",
    "recorded": "written by a language model beforehand and recorded",
    "source": "taken from a source of papers",
    "reviewed": "of the session under review",
    "person": "written by a person",
    "merged": "written by a person and merged with a generated text",
}
RECORDED = (
    "The texts are recorded answers of a language model, some of them condensed or written for the example, with figures that were "
    "computed for the example; the papers are those of the starter library, and no network was used."
)
LIMITS = (
    "A novelty search compares abstracts of the papers that a few queries found. Work that it did not find may still exist.",
    "Where a text says that something is new, the claim is the text's own.",
    "Similarity and ratings rank candidates and ideas; they do not measure quality.",
)
"""What the reader must not conclude from the document, whatever the method."""


def how_made(snapshot: SessionSnapshot, limits: Sequence[str]) -> Iterator[Section]:
    """How a proposal was made: texts, models, prompts, calls and cost, decisions by people.
    ``limits``: those that the methods add."""
    yield bulleted("Texts", _texts(snapshot))
    yield bulleted("Calls and cost", _calls(snapshot))
    head = ("Prompt", "Version", "Hash", "From", "Calls")
    rows = (
        (name, version, digest[:12], "own copy" if own else "built in", str(n))
        for name, version, digest, own, n in snapshot.prompts
    )
    yield Section("Prompts", (plain_table(head, rows),))
    people = (  # notes are private
        f"{_decision(d)}{' (undone)' if d.group in snapshot.undone else ''}"
        for d in snapshot.decisions
        if d.actor == "you"
        and d.action not in ("note", "refresh", "undo", "redo")
        and not d.creation
    )
    yield bulleted("Decisions by people", people)
    if cut := str(snapshot.state.settings.get("known_until") or ""):
        known = f"This session knows no paper published after {cut}; a language model may know later work all the same."
        limits = (known, *limits)
    yield bulleted("Limits", (*LIMITS, *limits))


def _texts(snapshot: SessionSnapshot) -> Iterator[str]:
    for origin, n in sorted(snapshot.origins.items()):
        yield f"{count(n, 'text')} in use: {ORIGINS[origin]}."
    if own := snapshot.written:
        share = f"{snapshot.own_words:.0%} of the words of all texts"
        names = listed(list(map(snapshot.name_of, own)))
        yield f"Written or edited by a person: {names}; together {share}."
    if kept := [address for address, status in snapshot.fresh.items() if status == "kept"]:
        yield f"Confirmed by the researcher although an input has changed: {', '.join(kept)}."


def _calls(snapshot: SessionSnapshot) -> Iterator[str]:
    for (asked, served), n in sorted(snapshot.models.items()):
        other = f", served as {served}" if served and served != asked else ""
        yield f"{asked or 'no name'}{other}: {count(n, 'call')}."
    requests = sum(call.kind in ("http", "text") and not call.local for call in snapshot.calls)
    yield f"{count(requests, 'request')} for papers: searches, records and full texts."
    sent = sum(call.prompt_tokens for call in snapshot.calls)
    received = sum(call.completion_tokens for call in snapshot.calls)
    cost = Money.of(snapshot.calls)
    unknown = f" The price of {count(cost.unpriced, 'call')} is not known." if cost.unpriced else ""
    yield f"Tokens: {sent:,} sent, {received:,} received. Cost: {cost}.{unknown}"
    if snapshot.origins["recorded"]:
        yield RECORDED


def _decision(d: Decision) -> str:
    paper = f", {d.value['paper']}" if isinstance(d.value.get("paper"), str) else ""
    point = f", point {d.value['point']}" if d.value.get("point") else ""
    reason = f": {sentence(clipped(d.reason))}" if d.reason else "."
    when = moment(d.time) if d.time else "undated"
    return f"{when}: {d.action} {d.address}{paper}{point}{reason}"
