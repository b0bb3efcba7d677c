"""Every decision that a person can make about a row: one ``Verb`` each, with its rule, what it
records and its words. Keys, footer, palette and ``coi decide`` come from this table.

What a verb does to the state is its fold, in ``coi_tui.model.fold`` under the action that it
records. What it changes in other rows is found by rehearsing it (``impact``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic import ValidationError

from coi_tui.engine.declarations import MethodSpec
from coi_tui.methods import derived
from coi_tui.methods.base.settings import IdeaSettings
from coi_tui.methods.ideas.sketches import WALL, require_wall, sketches, unassigned, wall_of, worked
from coi_tui.methods.registry import settings_of, spec_of
from coi_tui.model.address import READING, parse_address, ref
from coi_tui.model.content import CandidateList, ReadingContent
from coi_tui.model.entries import Action, Call, Decision, Version, pdf_key, pdf_request
from coi_tui.model.errors import UsageError, problem
from coi_tui.model.papers import Paper
from coi_tui.model.reviewing import NOTHING_TICKED, ticked_points
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line, count
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions import judgements
from coi_tui.session.decisions.criteria import criteria_entries
from coi_tui.session.decisions.edits import NO_TEXT, Edits
from coi_tui.session.decisions.placement import placement_of
from coi_tui.session.decisions.verb import (
    NO_BRANCH,
    NO_PAPER,
    NOT_MADE,
    VERDICTS,
    Rule,
    Target,
    Verb,
    VerbArgs,
    allowed,
    is_named,
    is_sketch,
    pick,
    require,
)
from coi_tui.session.files import find_version

NO_SLOT = "this is a text; go to a paper's row, or to its branch for the anchor"
MOST_BRANCHES = 63


# -- papers


def _has_place(t: Target) -> str:
    return "" if t.place else NO_SLOT


def found_nothing(core: SessionCore, place: str) -> bool:
    """Whether the same search for a slot, of the same source, would come back empty again: a list of
    citations that was empty is asked for again from the next day on."""
    cell = f"{place}.cands"
    listed = core.state.read(cell, CandidateList)
    if listed is None or listed.entries or cell in core.failed or not core.freshness(cell).ok:
        return False
    if "" < listed.date < core.clock()[:10]:
        return False
    asked = [listed.source, *(search.source for search in listed.tries)]
    return any(source and source in core.setup.source for source in asked)


def _may_search(t: Target) -> str:
    """An anchor can be searched for with other words."""
    if reason := _has_place(t):
        return reason
    again = parse_address(t.place).pos and found_nothing(t.core, t.place)
    return "its neighbour leads to no other paper; p pins one that you know" if again else ""


def _put(action: Action, t: Target, given: VerbArgs) -> list[Decision]:
    paper = given.paper or t.state.papers[_candidate(t, given.text)]
    placed = placement_of(t.state, t.place, paper)
    if placed.problem:
        raise UsageError(placed.problem, placed.hint)
    return [t.entry(action, placed.value, t.place)]


def _candidate(t: Target, text: str) -> str:
    """A candidate of the slot's list by rank, id or title, or a paper of the shelf or the reading
    list by id or title."""
    listed = [
        row.paper
        for row in (t.state.read(f"{t.place}.cands", CandidateList) or CandidateList()).entries
    ]
    if text.isdigit() and 1 <= int(text) <= len(listed):
        return listed[int(text) - 1]
    reading = t.state.read(READING, ReadingContent) or ReadingContent()
    offers = (str(one.value.get("paper")) for one in t.state.offers.values())
    others = [*offers, *(i.paper for i in t.state.shelf), *(row.paper for row in reading.entries)]
    for paper in (*listed, *others):
        if is_named(t, paper, text):
            return paper
    raise UsageError(
        f"{text!r} is not among the {count(len(listed), 'candidate')} of {t.place}.",
        "Name a rank, an id or part of a title; or pin a paper.",
    )


def _may_fork(t: Target) -> str:
    if t.paper is None:
        return "a branch begins at a paper of a chain"
    numbered = [n for n in {*t.state.branches, *t.state.forks} if isinstance(n, int)]
    full = f"there are already {MOST_BRANCHES} branches, and a session holds no more"
    return full if len(numbered) >= MOST_BRANCHES else ""


def _fork(t: Target, _: VerbArgs) -> list[Decision]:
    """A new branch that shares 0 to this slot and the whole other side; later places are empty."""
    numbered = (n for n in (*t.state.branches, *t.state.forks) if isinstance(n, int))
    value = {"branch": max(numbered, default=0) + 1, "at": parse_address(t.place).pos}
    return [t.entry("fork", value, t.place)]


def _may_attach(t: Target) -> str:
    return "" if t.paper in t.state.papers else NO_PAPER


def _attach(t: Target, given: VerbArgs) -> list[Decision]:
    """``value``: the researcher's own PDF (an ``OwnPdf``); None to rehearse what any would
    change."""
    own, paper = given.value, t.paper or ""
    pdf = own.pdf if own is not None else "any"
    if t.state.attached.get(paper, {}).get("pdf") == pdf:
        raise UsageError(f"This PDF is already attached to {t.place}.")
    file, chars = (own.file, len(own.text)) if own is not None else ("", 0)
    if own is not None:  # its text goes into the session file, and away with it
        call = Call(
            key=pdf_key(pdf, "attached"),
            kind="text",
            address=t.place,
            step="attach",
            request=pdf_request(pdf, "attached"),
            reply={"kind": "full text", "text": own.text, "note": own.note, "file": own.file},
            started=t.core.clock(),
        )
        t.core.journal.file.commit(calls=[call])
    value = {"paper": paper, "pdf": pdf, "file": file, "chars": chars}
    return [t.entry("attach", value, t.place)]


def _reopen(t: Target, given: VerbArgs) -> list[Decision]:
    """Take a paper off the shelf, so that it may be proposed again: in the branch of the row; at X
    where it was left out of the session, else in every branch that it left."""
    found = {i.branch: i.paper for i in t.state.shelf if is_named(t, i.paper, given.text)}
    branches = [t.branch] if t.branch or t.branch in found else [*found]
    if not found.keys() & {*branches}:
        raise UsageError(
            f"{given.text!r} is not among the rejected papers of {f'branch {t.branch}' if t.branch else 'X'}.",
            "Name the id or a part of the title of one that X lists.",
        )
    return [t.entry("reopen", {"paper": found[b], "branch": b}, "X") for b in branches]


def _end(t: Target, _: VerbArgs) -> list[Decision]:
    """Leave a chain at its length on the side where a step beyond its end failed."""
    method = t.core.methods.of(t.address)
    reason = "kept at this length by you"
    end = method.stop_growing(t.state, t.address, reason) if method is not None else None
    if end is None:
        raise UsageError(
            f"{t.address} is not just beyond the end of a chain.",
            "Only there a chain can be kept at its length.",
        )
    t.core.failed.pop(t.address, None)
    return [t.entry("end", end.value, end.address).model_copy(update={"reason": reason})]


# -- texts


def _may_edit(t: Target) -> str:
    return "" if t.kind.editable else NO_TEXT


def _may_ask(t: Target) -> str:
    if t.core.methods.step(t.address) is None or _may_edit(t):
        return (
            "no step makes a text here; ideas, directions, trends, cards and plans can be rewritten"
        )
    if t.version is None:
        return NOT_MADE
    if t.cell.protected:
        return "you protected it; the same command takes the protection away"
    setup = t.core.setup
    no_model = f"no language model can rewrite it ({setup.why}); it can be edited (e, coi edit)"
    return "" if setup.online_model else no_model


def _ask(t: Target, given: VerbArgs) -> list[Decision]:
    """The text is stale until the model has rewritten it."""
    wish = clean_line(given.text)
    if not wish:
        raise UsageError(
            f"Nothing was asked of {t.address}.", "Say in a sentence how it should be."
        )
    if t.cell.wishes[-1:] == (wish,) and t.core.freshness(t.address).ok:
        raise UsageError(
            f"{t.address} was rewritten for just that.",
            "Say it in other words, or make it once more (r).",
        )
    return [t.entry("ask", {"wish": wish})]


def _link(t: Target, given: VerbArgs) -> list[Decision | Version]:
    """The person's words take the place of what the trend said."""
    if words := clean_line(given.text):
        return Edits(t.core).entries(t.address, {"text": words}, "there is a link")
    raise UsageError(f"Nothing was said of {t.address}.", "Say in a sentence what links the two.")


def _adopt(t: Target, given: VerbArgs) -> list[Decision]:
    """``value``: the number of a version, or a name such as ``v2``."""
    seq = (
        given.value
        if isinstance(given.value, int)
        else find_version(t.state, t.address, given.text)
    )
    if seq not in t.cell.versions:
        raise UsageError(
            f"{t.address} has no version {seq}.", "`coi why` lists its other versions."
        )
    return [t.entry("adopt", {"version": seq})]


def _may_refresh(t: Target) -> str:
    if t.core.methods.step(t.address) is None:
        return "this is not made by a step; its card, trend or list can be refreshed"
    return "" if t.version is not None else f"{NOT_MADE}; g runs to a stage"


def _needs(*parts: tuple[str, str]) -> Rule:
    """A rule for what is about texts of the row's branch: each part that it needs, in words."""

    def rule(t: Target) -> str:
        if not t.branch:
            return NO_BRANCH
        missing = (w for part, w in parts if t.state.in_use(f"{t.branch}/{part}") is None)
        return next((f"branch {t.branch} has no {words} yet" for words in missing), "")

    return rule


_HAS_IDEA, _HAS_PLAN = _needs(("idea", "idea")), _needs(("exp", "experiment plan"))
_HAS_REVIEW = _needs(("exp", "experiment plan"), ("review", "review (V makes one)"))


def _may_refine(t: Target) -> str:
    if reason := _HAS_REVIEW(t):
        return reason
    review = t.state.in_use(f"{t.branch}/review")
    ticked = review is not None and ticked_points(t.state, t.branch, review)
    hint = f"{NOTHING_TICKED}: Enter on the plan opens its points, Space there ticks one (`coi decide NAME {t.branch}/review tick 1`)"
    return "" if ticked else hint


# -- the session


def _settings(t: Target, given: VerbArgs) -> list[Decision]:
    return [t.entry("settings", dict(given.value))]


def _criteria(t: Target, given: VerbArgs) -> list[Decision | Version]:
    return criteria_entries(t.core, given.value)


def _network(t: Target, given: VerbArgs) -> list[Decision]:
    """``value``: whether nothing of this session leaves the machine from now on."""
    offline = bool(given.value)
    if not offline and t.core.settings.offline:
        raise UsageError(
            "The settings say that everything is offline.",
            "Change “offline” there (, opens them), then try again.",
        )
    if offline == t.core.offline:
        raise UsageError(f"This session already works {'offline' if offline else 'online'}.")
    return [t.entry("settings", {"offline": offline})]


def instance_decision(
    spec: MethodSpec, name: str, given: Mapping[str, Any], *, creation: bool = False
) -> Decision:
    """The decision that adds an instance of a method. Raises UsageError for settings that the
    method refuses."""
    try:
        settings = spec.settings.model_validate(dict(given))
    except ValidationError as error:
        raise UsageError(
            f"{spec.name} cannot be set up: {problem(error)}.", "Write another value."
        ) from None
    value = {
        "method": spec.name,
        "branches": spec.branches(settings),
        "settings": settings.model_dump(mode="json"),
        **({"package": spec.package} if spec.package else {}),
    }
    return Decision(actor="you", action="method", address=name, value=value, creation=creation)


def free_instance(state: State, letter: str) -> str:
    """The next free name of a method's instances: ``S1``, ``S2``."""
    number = 1
    while f"{letter}{number}" in state.instances:
        number += 1
    return f"{letter}{number}"


def _method(t: Target, given: VerbArgs) -> list[Decision]:
    """``value``: the name of a method, and ``settings`` that differ from the person's own."""
    spec = spec_of(given.value["method"])
    if not spec.letter:
        raise UsageError(
            f"{spec.name} can only be the method that a session begins with.",
            "Make a new session for it.",
        )
    settings = {**settings_of(spec, t.core.settings).model_dump(), **given.value["settings"]}
    return [instance_decision(spec, free_instance(t.state, spec.letter), settings)]


def _may_work_out(t: Target) -> str:
    if t.address not in sketches(t.state):
        return "only a sketch that has a text is worked out"
    return "it was rejected; pick it first" if t.cell.rejected else ""


def _work_out(t: Target, given: VerbArgs) -> list[Decision]:
    """Sketches are picked, and one that its own branch does not work out gets another branch.
    ``value``: their addresses."""
    rows = [Target(t.core, address) for address in given.value or [t.address]]
    for row in rows:
        require(VERBS["work_out"], row)
    made = [one for row in rows if not row.cell.picked for one in pick(row, given)]
    trial = t.core.journal.rehearsal()
    trial.write(made)
    state, asked = trial.state, {row.address for row in rows}
    left = [one for one in unassigned(state) if one in asked]
    if not left:
        return made
    if not (wall := wall_of(state)):
        raise UsageError(
            f"{left[0]} would be the second sketch of its branch to be worked out.",
            "Add the method Sketches, whose branches hold further ones.",
        )
    named, number = worked(state), 0
    for one in left:
        number += 1
        while f"{wall}/{number}" in named or state.in_use(f"{wall}/{number}/idea") is not None:
            number += 1
        named[f"{wall}/{number}"] = one
    branches = max(number, state.instances[wall].branches)
    value = {"method": WALL, "branches": branches, "settings": {"worked": named}}
    return [*made, t.entry("method", value, wall)]


def _derive(t: Target, given: VerbArgs) -> list[Decision]:
    """``value``: the ``operator``, with the ``other`` idea (its branch) or sketch, or the facet to
    ``change``. What is made of a sketch is another one on the wall."""
    asked = {name: str(text) for name, text in (given.value or {}).items()}
    sketch = is_sketch(t)
    parent, operator = t.address if sketch else str(t.branch), asked.pop("operator", "")
    settings = derived.settings_for(t.state, parent, operator, **asked)
    if not sketch:
        name = free_instance(t.state, derived.SPEC.letter)
        return [instance_decision(derived.SPEC, name, settings)]
    wall = require_wall(t.state)
    made, said = dict(t.state.settings_of(wall).get("made", {})), derived.what_is_asked(operator)
    how = {"operator": operator, "asks": said, "parents": settings["parents"]}
    made[str(len(made) + 1)] = how
    return [t.entry("method", {"method": WALL, "settings": {"made": made}}, wall)]


_TABLE = (
    *VERDICTS,
    *judgements.VERBS,
    Verb("work_out", _may_work_out, _work_out, done="{at} is to be worked out."),
    Verb(
        "candidates",
        _has_place,
        label="candidates",
        help="look at the candidates for this slot, and what each would change",
        key="c",
        footer=3,
        reads=True,
    ),
    Verb(
        "choose",
        _has_place,
        partial(_put, "choose"),
        needs="a rank, an id or part of a title",
        of_place=True,
    ),
    Verb(
        "pin",
        _has_place,
        partial(_put, "pin"),
        "pin",
        "find a paper by words, title, DOI, arXiv id or URL, and pin it here",
        "p",
        footer=7,
        needs="a DOI, arXiv id, URL or title",
        looks_up=True,
        of_place=True,
    ),
    Verb(
        "search",
        _may_search,
        label="find papers",
        help="search this slot again; an anchor with other words",
        key="f",
        footer=16,
    ),
    Verb("reopen", effect=_reopen, needs="an id or part of a title"),
    Verb(
        "fork",
        _may_fork,
        _fork,
        "branch",
        "a new branch that shares this chain up to here",
        done="begins at {at}: it shares the chain up to there, later places are empty. u undoes it.",
        of_place=True,
        quiet=lambda _: True,
    ),
    Verb(
        "attach",
        _may_attach,
        _attach,
        "attach a PDF",
        "attach a PDF of your own to this paper: its text is read in place of what was",
        command=False,
        hint="A PDF is attached to a paper: go to a paper's row.",
        of_place=True,
    ),
    Verb("end", effect=_end, command=False),
    Verb(
        "edit",
        _may_edit,
        label="edit",
        help="edit this text and save it as a version of yours",
        key="e",
        footer=3,
    ),
    Verb(
        "link",
        lambda t: (
            ""
            if t.state.value(ref(t.address, "linked")) is False
            else "only a trend that found no link can be told of one"
        ),
        _link,
        "there is a link",
        "say in your words what links the two papers of a trend that found no link",
        "L",
        needs="what links the two, in words",
    ),
    Verb("adopt", effect=_adopt, needs="a version such as v2"),
    Verb(
        "ask",
        _may_ask,
        _ask,
        "ask",
        "say in words how this text should be; the model rewrites it (a plan first)",
        "I",
        done="Asked of {at}; u takes it back.",
        command=False,
        quiet=lambda _: True,
    ),
    Verb(
        "note",
        effect=lambda t, given: [t.entry("note", {"text": clean(given.value or "")})],
        done="Noted on {at}; it is never sent.",
        needs="the text of the note",
        quiet=lambda _: True,
    ),
    Verb(
        "refresh",
        _may_refresh,
        label="refresh",
        help="make this again from what it reads now (a plan first)",
        key="r",
        footer=7,
    ),
    Verb(
        "verify",
        _HAS_IDEA,
        label="novelty",
        help="check the novelty of this idea",
        key="v",
    ),
    Verb(
        "against",
        _HAS_IDEA,
        label="search against",
        help="search for the strongest prior work against this idea (a plan first)",
    ),
    Verb(
        "review",
        _HAS_PLAN,
        label="review",
        help="review the experiment plan",
        key="V",
    ),
    Verb(
        "refine",
        _may_refine,
        label="refine",
        help="refine the experiment plan with the ticked points",
        key="F",
    ),
    Verb("settings", effect=_settings, command=False),
    Verb("criteria", effect=_criteria, question="Change the criteria?", command=False),
    Verb("network", effect=_network, command=False),
    Verb("method", effect=_method, command=False),
    Verb(
        "derive",
        lambda t: "" if is_sketch(t) else _HAS_IDEA(t),
        _derive,
        "new idea from it",
        "make a new idea from this one: combine, simplify, negate ... (a plan first)",
        "D",
        command=False,
    ),
)

VERBS: Mapping[str, Verb] = {verb.name: verb for verb in _TABLE}
_WITH_RULE = [verb for verb in _TABLE if verb.rule is not allowed]


def named_verb(core: SessionCore, name: str, address: str) -> tuple[Verb, Target]:
    """A verb of the table, with what it would be about."""
    return VERBS[name], Target(core, address)


def verb_at(core: SessionCore, name: str, address: str) -> tuple[Verb, Target]:
    """The same for a key: the opposite verb where that is what can be done."""
    verb, target = named_verb(core, name, address)
    other = VERBS.get(verb.opposite)
    return other if other is not None and not other.rule(target) else verb, target


def refusals(core: SessionCore, address: str) -> Mapping[str, str]:
    """Why each verb that has a rule is not allowed at a row now, from one look at it; empty for
    what is allowed."""
    target, reason = Target(core, address), core.read_only_reason
    closed = f"this session is read-only ({reason})" if reason else ""
    found = {
        verb.name: (closed if not verb.reads else "") or verb.rule(target) for verb in _WITH_RULE
    }
    for verb in _WITH_RULE:
        if verb.opposite and not found[verb.opposite]:
            found[verb.name] = ""
    return found


def decide(
    core: SessionCore,
    name: str,
    address: str,
    value: Any = None,
    reason: str = "",
    paper: Paper | None = None,
) -> Decision:
    """Make a decision: one commit, one undo. Raises UsageError, with nothing changed, for one that
    is not allowed."""
    core.check_writable()
    verb, target = VERBS[name], Target(core, address)
    require(verb, target)
    assert verb.effect is not None
    entries = verb.effect(target, VerbArgs(value, paper, reason))
    own = {"reason": reason} if reason else {}
    if len(entries) > 1 and all(isinstance(e, Decision) for e in entries):
        own["group"] = f"d{core.journal.next_seq}"
    papers = [paper] if paper is not None else []
    return core.write(
        [e.model_copy(update=own) if isinstance(e, Decision) else e for e in entries], papers
    )


def settings_when_added(core: SessionCore, method: str) -> dict[str, Any]:
    """The settings of a method that a run adds: a wall has room for as many ideas as are to be
    worked out."""
    most = core.state.bounds(IdeaSettings).work_out
    return {"branches": most} if method == WALL and most else {}


def add_method(core: SessionCore, method: str, settings: Mapping[str, Any] | None = None) -> str:
    """Add a method beside those that are there. Returns the name of its instance (``S1``)."""
    value = {"method": method, "settings": settings or {}}
    return decide(core, "method", "session", value).address
