"""Every decision that a person can make about a row: one ``Verb`` each, with its rule, what it
records and its words. Keys, footer, palette and ``coi decide`` come from this table.

What a verb does to the state is its fold, in ``coi_tui.model.fold`` under the action that it
records. What it changes in other rows is found by rehearsing it (``impact``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from coi_tui.engine.method_spec import MethodSpec
from coi_tui.engine.verb import NO_BRANCH, NOT_MADE, Rule, VerbArgs, allowed, require
from coi_tui.engine.verb import Target as Target
from coi_tui.engine.verb import Verb as Verb
from coi_tui.methods import derived
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.ideas.sketches import WALL, require_wall, sketches, unassigned, wall_of, worked
from coi_tui.methods.news import SEEN
from coi_tui.methods.registry import every_method, settings_of, spec_of
from coi_tui.model.address import branch_name, cell_at, ref
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import UsageError, problem
from coi_tui.model.papers import Paper
from coi_tui.model.reviewing import NOTHING_TICKED, ticked_points
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions import own_judgements
from coi_tui.session.decisions.criteria_change import criteria_entries
from coi_tui.session.decisions.edits import NO_TEXT, edit_entries
from coi_tui.session.decisions.verdicts import VERDICTS, is_sketch, pick
from coi_tui.session.files import find_version

# -- texts


def _may_edit(t: Target) -> str:
    return "" if t.kind.editable else NO_TEXT


def _may_ask(t: Target) -> str:
    if t.core.methods.task(t.address) is None or _may_edit(t):
        return (
            "no task makes a text here; ideas, directions, trends, cards and plans can be rewritten"
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
            f"{t.address} was already rewritten for this request.",
            "Say it in other words, or make it once more (r).",
        )
    return [t.entry("ask", {"wish": wish})]


def _link(t: Target, given: VerbArgs) -> list[Decision | Version]:
    """The person's words take the place of what the trend said."""
    if words := clean_line(given.text):
        return edit_entries(t.core, t.address, {"text": words}, "there is a link")
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
    if t.core.methods.task(t.address) is None:
        return "this is not made by a task; its card, trend or list can be refreshed"
    return "" if t.version is not None else f"{NOT_MADE}; g runs to a stage"


def _needs(*parts: tuple[str, str]) -> Rule:
    """A rule for what is about texts of the row's branch: each part that it needs, in words."""

    def rule(t: Target) -> str:
        if not t.branch:
            return NO_BRANCH
        missing = (w for part, w in parts if t.state.in_use(cell_at(t.branch, part)) is None)
        return next((f"branch {t.branch} has no {words} yet" for words in missing), "")

    return rule


_HAS_IDEA, _HAS_PLAN = _needs(("idea", "idea")), _needs(("exp", "experiment plan"))
_HAS_REVIEW = _needs(("exp", "experiment plan"), ("review", "review (V makes one)"))


def _may_refine(t: Target) -> str:
    if reason := _HAS_REVIEW(t):
        return reason
    review = t.state.in_use(cell_at(t.branch, "review"))
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
        "branches": int(getattr(settings, "branches", 1)),
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
        branch = str(branch_name(wall, number))
        while branch in named or state.in_use(cell_at(branch, "idea")) is not None:
            number += 1
            branch = str(branch_name(wall, number))
        named[branch] = one
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
    *own_judgements.VERBS,
    Verb("work_out", _may_work_out, _work_out, done="{at} is to be worked out."),
    *(verb for spec in every_method().values() if not spec.package for verb in spec.verbs()),
    SEEN,
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
    Verb(
        "use",
        effect=_adopt,
        needs="a version such as v2, or of a place the rank, id or title of a candidate",
    ),
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
        "derive",
        "make a new idea from this one: combine, simplify, negate ... (a plan first)",
        "D",
        command=False,
    ),
)


def with_packages(methods: Iterable[MethodSpec]) -> dict[str, Verb]:
    """Every verb by its name. Those of packages come last, and none takes the place of one of ours."""
    own = {verb.name: verb for verb in _TABLE}
    added = [verb for spec in methods if spec.package for verb in spec.verbs()]
    return own | {verb.name: verb for verb in added if verb.name not in own}


VERBS: Mapping[str, Verb] = with_packages(every_method().values())


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
    ruled = [verb for verb in VERBS.values() if verb.rule is not allowed]
    found = {verb.name: (closed if not verb.reads else "") or verb.rule(target) for verb in ruled}
    for verb in ruled:
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
