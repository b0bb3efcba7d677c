"""A person's judgements beside the model's: of papers in a novelty report, of matches, of review
points. None makes anything stale but a ticked paper or point, which the next draft must answer.
"""

from __future__ import annotations

from functools import partial

from coi_tui.engine.verb import Target, Verb, VerbArgs, is_named
from coi_tui.methods.ideas.sketches import sketches
from coi_tui.methods.ideas.stages import bad_case
from coi_tui.model.address import cell_at
from coi_tui.model.content import CLOSENESS, NoveltyReport
from coi_tui.model.entries import Action, Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.reviewing import ANY_PART, PARTS, points_of
from coi_tui.model.text import Values, clean_line, count
from coi_tui.present.comparisons import CRITERIA, JUDGEMENTS, OPENED


def mark(action: Action, t: Target, given: VerbArgs) -> list[Decision]:
    """A review point by its number; ``tick`` at a novelty report: a paper that the next draft must
    differ from."""
    if t.at.kind != "review":
        return [t.entry("tick", _bad_case(t, given), cell_at(t.branch, "bad"))]
    review, number = t.version, given.text
    points = points_of(t.state, t.branch, review) if review else []
    if review is None or all(str(p.n) != number for p in points):
        raise UsageError(
            f"The review of branch {t.branch} has no point {number or 'without a number'}."
        )
    return [t.entry(action, {"version": review.seq, "point": int(number)})]


def _bad_case(t: Target, given: VerbArgs) -> Values:
    report = t.state.in_use(cell_at(t.branch, "nov"))
    rows = t.state.content(report, NoveltyReport).papers if report else []
    for n, row in enumerate(rows, start=1):
        if report and (given.text == str(n) or is_named(t, row.paper, given.text)):
            return bad_case(t.state, report, row, given.reason)
    raise UsageError(
        f"{given.text!r} is not among the {count(len(rows), 'paper')} of {t.branch}/nov.",
        "Name its place in the report, its id or title.",
    )


def add(t: Target, given: VerbArgs) -> list[Decision]:
    """A review point of one's own; ``metrics: ...`` says which part it is about."""
    if t.version is None:
        raise UsageError(f"Branch {t.branch} has no review to add a point to.", "V makes one.")
    part, point = ANY_PART, clean_line(given.text)
    head, _, rest = point.partition(":")
    if (named := head.strip().casefold()) in PARTS:
        part, point = named, rest.strip()
    if not point:
        raise UsageError("A review point needs a few words.", "Say what is to be changed.")
    known = points_of(t.state, t.branch, t.version)
    own = {"n": 1 + max((p.n for p in known), default=0), "part": part, "point": point}
    return [t.entry("add", {"version": t.version.seq, "point": own})]


def judge(t: Target, given: VerbArgs) -> list[Decision]:
    """``value``: a ``judgement`` (empty takes it back) or a ``note`` on a ``paper`` of the report,
    without a paper the verdict on the idea."""
    report = t.state.read(t.address, NoveltyReport)
    paper = str(given.value.get("paper", ""))
    if report is None or (paper and all(row.paper != paper for row in report.papers)):
        raise UsageError(
            f"{paper or 'Such a report'} is not in branch {t.branch}.", "v makes a report."
        )
    before = t.state.judged.get((t.branch, paper), "")
    value = {"judgement": before, **given.value, "paper": paper}
    known = JUDGEMENTS if paper else CLOSENESS
    if value["judgement"] and value["judgement"] not in known:
        raise UsageError(
            f"Unknown judgement {value['judgement'][:40]!r}.",
            f"Write one of these in quotes: {'; '.join(known)}.",
        )
    if "note" in value:
        value["note"] = clean_line(value["note"]).strip()
    return [t.entry("judge", value)]


def vote(t: Target, given: VerbArgs) -> list[Decision]:
    """``value``: the ``criteria`` of a match and the ``winner``: a branch, 0 for a tie, None takes
    the vote back. A model need not have judged it."""
    sides = (t.at.branch, t.at.rival)
    if t.at.kind != "match" or not set(sides) <= set(t.state.ideas()):
        raise UsageError(
            f"{t.address} is no match of two ideas of this session.",
            "Tag two ideas with t, then = opens their match.",
        )
    criteria, winner = list(dict.fromkeys(given.value["criteria"])), given.value["winner"]
    if not criteria or not set(criteria) <= set(CRITERIA) or winner not in (None, 0, *sides):
        raise UsageError(
            f"No such vote in {t.address}.",
            f"Criteria: {', '.join(CRITERIA)}; for {sides[0]}, {sides[1]} or 0.",
        )
    return [t.entry("vote", {"criterion": c, "winner": winner}) for c in criteria]


def better(t: Target, given: VerbArgs) -> list[Decision]:
    """``value``: the sketch that this one is better than."""
    two = sorted({t.address, given.text} & {*sketches(t.state)})
    if len(two) < 2:
        raise UsageError(f"No vote at {t.address}.", "Name two sketches, the better one first.")
    # whichever is better, so that a later vote takes the place of an earlier one
    return [t.entry("vote", {"against": two[1], "winner": t.address}, two[0])]


def show_match(t: Target, _: VerbArgs) -> list[Decision]:
    """Show the model's judgement of a match before the votes on it: the log says so."""
    if t.at.kind != "match" or t.version is None:
        raise UsageError(f"{t.address} is not a match that was judged.", "g plays matches.")
    seen = sorted({*(t.state.settings.get(OPENED) or ()), t.address})
    reason = f"the judge's view of {t.address} was shown before the votes"
    return [t.entry("settings", {OPENED: seen}, "session").model_copy(update={"reason": reason})]


VERBS = (
    Verb(
        "tick",
        effect=partial(mark, "tick"),
        needs="the number of a review point, or a paper",
    ),
    Verb("untick", effect=partial(mark, "untick"), needs="the number of a review point"),
    Verb("dismiss", effect=partial(mark, "dismiss"), needs="the number of a review point"),
    Verb("add", effect=add, command=False),
    Verb("judge", effect=judge, command=False),
    Verb("vote", effect=vote, command=False),
    Verb("better", effect=better, needs="the sketch that it is better than"),
    Verb("show_match", effect=show_match, command=False),
)
