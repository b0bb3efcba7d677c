"""The cells of Imitate-and-Evolve: what each holds, who makes it, what is shown of it, and what a
person decides on its rows by a key."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.methods.base.cell_table import (
    held,
    kinds_of,
    left_out,
    listing,
    nth,
    row,
    table,
    title_of,
    turned,
)
from coi_tui.methods.ideas import kinds
from coi_tui.methods.imitate import contents
from coi_tui.model.address import parse_address
from coi_tui.model.content import Named
from coi_tui.model.document import Block, RowChange, RowKey
from coi_tui.model.state import State
from coi_tui.model.text import clipped, count

REBUTTED_BY_YOU = "You rebutted it."


# -- papers of both sides, pairs


def _all_pairs(state: State, address: str) -> list[contents.PairRow]:
    return held(state, f"{parse_address(address).instance}/pairs", contents.PairsContent).pairs


def pair_table(state: State, address: str) -> Iterator[Block]:
    """Every pair, best first, with the one that a branch imitates."""
    own = parse_address(address).part == "pair"
    it = held(state, address, contents.PairRow) if own else None
    rows = (
        row(
            n,
            "imitated" if one == it else "",
            one.score or "?",
            f"{title_of(state, one.algorithm)} + {title_of(state, one.application)}",
            why=one.reason,
        )
        for n, one in enumerate(_all_pairs(state, address), 1)
    )
    note = "Space imitates another pair." if own else ""
    return table("|score|algorithm + application", rows, note)


def pair_change(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """Imitate another pair."""
    chosen, it = nth(_all_pairs(state, address), number), state.read(address, contents.PairRow)
    if it is None or chosen is None or key not in ("tick", "accept") or chosen == it:
        return None
    said = f"Pair {number} is imitated."
    return RowChange(address, chosen.model_dump(), "imitate", said)


# -- review


def _points(state: State, address: str) -> list[Named]:
    """The points of the review that the answers at an address are to."""
    at = parse_address(address)
    return held(state, f"{at.branch}/referee", contents.RefereeContent).points


def answers_table(state: State, address: str) -> Iterator[Block]:
    """The points of a review, each taken with its change or rebutted with the reason."""
    it = held(state, address, contents.AnswersContent)
    taken, rebutted = (
        {one.name: one.description for one in rows} for rows in (it.taken, it.rebutted)
    )
    rows = (
        row(
            n,
            "rebut" if str(n) in rebutted else "take" if str(n) in taken else "",
            n,
            point.name,
            clipped(point.description),
            point=point.description,
            change=taken.get(str(n), ""),
            reason=rebutted.get(str(n), ""),
        )
        for n, point in enumerate(_points(state, address), 1)
    )
    return table("|point|section|what", rows, "Space takes a point or rebuts it.")


def answer_change(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """Take a point that was rebutted, or rebut one that was taken."""
    it = held(state, address, contents.AnswersContent)
    found = {one.name: one in it.rebutted for one in (*it.taken, *it.rebutted)}
    rebut = turned(key, found[number]) if number in found else None
    if rebut is None:
        return None
    point = nth(_points(state, address), number) or Named()
    left = {
        name: [one.model_dump() for one in rows if one.name != number]
        for name, rows in (("taken", it.taken), ("rebutted", it.rebutted))
    }
    word, where = ("rebut", "rebutted") if rebut else ("take", "taken")
    said = REBUTTED_BY_YOU if rebut else point.description
    left[where].append({"name": number, "description": said})
    return RowChange(address, left, word, f"Point {number} is {where}.")


def gate_table(state: State, address: str) -> Iterator[Block]:
    """The revised sections with the ratings of the whole text before and after, each kept or
    not."""
    it = held(state, address, contents.GateContent)
    rows = (
        row(
            one.section,
            "revised" if it.kept(one.section) else "as before",
            one.section,
            rated(one.before),
            rated(one.after),
            one.outcome,
            before=one.old,
            revised=one.new,
        )
        for one in it.rows
    )
    return table("|section|before|after|outcome", rows, "Space keeps a revision or rolls it back.")


def rated(rating: float | None) -> str:
    return "?" if rating is None else f"{rating:g}"


def gate_change(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """Keep a revised section, or roll it back to what it was, whatever the ratings say."""
    it = held(state, address, contents.GateContent)
    one = next((one for one in it.rows if str(one.section) == number and one.new != one.old), None)
    back = turned(key, not it.kept(one.section)) if one is not None else None
    if one is None or back is None:
        return None
    word, done = (
        ("roll back", "rolled back to what it was") if back else ("keep", "the revised one")
    )
    texts = [text.model_dump() for text in it.texts if text.name != number]
    texts += [] if back else [{"name": number, "description": one.new}]
    return RowChange(address, {"texts": texts}, word, f"Section {number} is {done}.")


# -- the cells


def _step_caption(it: contents.StepContent) -> str:
    weak = "; weak evidence" if it.weak else ""
    titles = "; ".join(step.name for step in it.steps)
    return f"{titles}{', no change' if it.kept else ''}{weak}"


def _passages_caption(it: contents.PassagesContent) -> str:
    papers = {one.paper for one in it.on() if one.paper}
    return f"{count(len(it.on()), 'passage')} of {count(len(papers), 'paper')}"


def _gate_caption(it: contents.GateContent) -> str:
    kept = sum(bool(it.kept(one.section)) for one in it.rows)
    return f"{count(len(it.rows), 'section')} revised, {kept} kept"


kind = kinds_of("E")
FOR_THE_NEXT = {
    "own": True,
    "optional": True,
    "has_verdict": False,
    "decisions": kinds.OF_TEXT - {"accept"},
}
"""Of a text that is edited but not accepted: it serves the next step, and is no part of the
manuscript."""
OWN_KINDS = (
    kind(
        "split",
        "The request",
        contents.SplitContent,
        "imitate split",
        "split",
        "algorithm application constraints algorithm_query application_query",
        label="task",
        caption=lambda it: f"{it.algorithm} for {it.application}",
    ),
    kind(
        "choice",
        "Your choice",
        contents.ChoiceContent,
        edits="target",
        label="written for",
    ),
    *(
        kind(
            side,
            f"Papers on the {side}",
            contents.SideContent,
            "imitate search",
            "papers",
            document=listing(contents.SideContent, "papers", "score title", "ranked"),
            row_change=left_out(contents.SideContent, "papers"),
        )
        for side in ("algorithm", "application")
    ),
    kind(
        "pairs",
        "All pairs",
        contents.PairsContent,
        "imitate pairs",
        "pairs",
        label="paper pairs",
        caption=lambda it: (
            f"{count(len(it.pairs), 'pair')}, best {it.pairs[0].score or '?'}"
            if it.pairs
            else "no pair"
        ),
        document=pair_table,
    ),
    kind(
        "pair",
        "Paradigm",
        contents.PairRow,
        "imitate pair",
        "pairs",
        own=True,
        label="paradigm",
        document=pair_table,
        row_change=pair_change,
        caption=lambda it: f"score {it.score or '?'}",
    ),
    kind(
        "outline",
        "Outline of a paradigm",
        contents.OutlineContent,
        "imitate outline",
        "outlines",
        "parts",
        item="1",
        own=True,
    ),
    kind(
        "plan",
        "Imitated plan",
        contents.PlanContent,
        "imitate plan",
        "plan",
        "steps",
        own=True,
    ),
    kind(
        "passages",
        "Evidence",
        contents.PassagesContent,
        "imitate evidence",
        "section-1",
        item="2",
        own=True,
        label="evidence",
        caption=_passages_caption,
        document=listing(contents.PassagesContent, "passages", "title where", numbered=True),
        row_change=left_out(contents.PassagesContent, "passages", numbered=True),
        optional=True,
    ),
    kind(
        "step",
        "Step",
        contents.StepContent,
        "imitate step",
        "section-1",
        "steps why weak",
        item="2",
        own=True,
        caption=_step_caption,
        main="steps",
        optional=True,
    ),
    kind(
        "section",
        "Section",
        contents.SectionContent,
        "imitate section",
        "section-1",
        "title text",
        item="2",
        own=True,
        optional=True,
    ),
    kind(
        "later",
        "Later step",
        contents.StepContent,
        "imitate later step",
        "section-1",
        "steps why",
        item="2.4",
        caption=_step_caption,
        main="steps",
        **FOR_THE_NEXT,
    ),
    kind(
        "referee",
        "Review of the manuscript",
        contents.RefereeContent,
        "imitate review",
        "revision",
        "summary soundness presentation contribution strengths weaknesses questions points rating",
        label="review",
        main="points",
        caption=lambda it: f"rating {rated(it.rating)}, {count(len(it.points), 'point')}",
        **FOR_THE_NEXT,
    ),
    kind(
        "answers",
        "Points taken or rebutted",
        contents.AnswersContent,
        "imitate answers",
        "revision",
        "taken rebutted",
        document=answers_table,
        row_change=answer_change,
        caption=lambda it: f"{len(it.taken)} taken, {len(it.rebutted)} rebutted",
        **FOR_THE_NEXT,
    ),
    kind(
        "gate",
        "Revised sections",
        contents.GateContent,
        "imitate gate",
        "revision",
        "texts",
        label="revised",
        caption=_gate_caption,
        document=gate_table,
        row_change=gate_change,
        **FOR_THE_NEXT,
    ),
    kinds.RIVALS,
    kinds.idea("imitate head", "ideas"),
)
