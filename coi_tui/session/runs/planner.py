"""Makes plans: what would run to reach a stage, to make or refresh texts, to try again; and the
menu of plans for a row.

Nothing runs from here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from string import ascii_uppercase

from coi_tui.engine.declarations import EVERYTHING, Cost, MenuOption, Scope, Task
from coi_tui.engine.freshness import Freshness, Read
from coi_tui.engine.scheduler import Goal
from coi_tui.engine.verb import Target, require
from coi_tui.methods import derived
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.chain.chains import PDF
from coi_tui.methods.chain.slots import CANDIDATES
from coi_tui.methods.coi.chain_verbs import found_nothing
from coi_tui.methods.ideas.clarify import DRAFTS
from coi_tui.methods.ideas.experiment import QUERY, phrase_of
from coi_tui.methods.ideas.matches import ARENA, ONE_CALL
from coi_tui.methods.ideas.model_drafts import MODELS, ModelDraftsTask
from coi_tui.methods.ideas.novelty import SearchAgainstTask
from coi_tui.methods.ideas.sketches import (
    LENSES,
    WALL,
    assigned,
    named_of,
    ranking_of,
    require_wall,
    sketches,
    wall_of,
)
from coi_tui.methods.registry import SessionMethods, methods_to_add, spec_of
from coi_tui.model.address import (
    NEWS,
    Branch,
    attached_to,
    branch_name,
    branch_of,
    cell_at,
    cell_ref,
)
from coi_tui.model.content import ReviewPoint, Sketch
from coi_tui.model.errors import UsageError
from coi_tui.model.money import Limit, dollars
from coi_tui.model.reviewing import NOTHING_TICKED, ticked_points
from coi_tui.model.state import WISHES
from coi_tui.model.suggest import did_you_mean
from coi_tui.model.text import Values, count, joined, listed
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.verbs import (
    VERBS,
    free_instance,
    instance_decision,
    settings_when_added,
)
from coi_tui.session.queries.rows import find_goal
from coi_tui.session.runs.plans import Plan, PlanLine, price, price_of, sends


def check_stage(until: str, stages: Sequence[str]) -> None:
    """Raises UsageError for what is none of a method's stages."""
    if until not in stages:
        hint = did_you_mean(until, stages, f"The stages are {', '.join(stages)}.")
        raise UsageError(f"{until!r} is not a stage.", hint)


CHECKS: Mapping[str, tuple[str, str, str]] = {
    "verify": ("nov", "Check the novelty of {}/idea", ""),
    "against": ("nov", "Search against {}/idea", SearchAgainstTask.name),
    "review": ("review", "Review {}/exp", ""),
}
"""The cell that a check makes, the title of its plan, and its task where that is not the cell's
own."""


NOTHING = "all of it is there"


@dataclass(frozen=True)
class Offer:
    """One line of the menu. ``plan`` is what its key would show; ``off`` is the reason where there
    is none."""

    key: str
    what: str
    note: str = ""
    plan: Plan | None = None
    off: str = ""


ADD_METHOD = "+"
"""The key of the line that adds a method."""


FREE_LETTERS = f"bhlorvxyz{ascii_uppercase}"
"""Letters for lines that bring none of their own: no line and no key of the menu has them."""

OLD = ("stale", "upstream")
"""What a cell is that a refresh makes again."""


class Planner:
    """The plans of a session."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    def to_stage(self, until: str = "", scope: Scope = EVERYTHING) -> Plan:
        """What it takes to reach the end of a stage (the last one where none is named), for all
        branches or those of ``scope``.

        A plan of all branches puts no paper into a finished chain. Raises UsageError for an unknown
        stage.
        """
        methods = self._core.methods
        if not scope.instance and "" not in methods.instances:  # it began with another method
            scope = replace(scope, instance=next(iter(methods.instances), ""))
        stages = methods.stages_of(scope.instance)
        until = until or (stages[-1] if stages else "")
        check_stage(until, stages)
        state = self._core.state
        if not (scope.branches or scope.instance):
            own = methods.of_instance(scope.instance)
            scope = replace(scope, closed=own.closed(state) if own else ())
        passed = () if scope.branches else stages[: stages.index(until) + 1]
        adds = tuple(
            name
            for name, stage in ((WALL, "sketches"), (ONE_CALL, "ideas"))
            if stage in passed and self._is_due(name, scope)
        )
        if adds:
            trial = self._core.journal.rehearsal()
            for spec in map(spec_of, adds):
                settings = settings_when_added(self._core, spec.name)
                name = free_instance(state, spec.letter)
                trial.write([instance_decision(spec, name, settings)])
            state = trial.state
            methods = SessionMethods(self._core.first_method).follow(state)
        lines = [
            PlanLine(
                f"{f.stage}: {f.what}", f.why, f.cost, price(self._core, f.cost), stage=f.stage
            )
            for f in methods.forecast(state, until, scope)
        ]
        plan = self._plan(self._title(scope, until), Goal("run", until=until, scope=scope), lines)
        return replace(plan, adds=adds, note=_staying(scope.closed))

    def ways_to_derive(self, address: str) -> Iterable[tuple[dict[str, str], str, str, str]]:
        """The operators on the idea of the branch of a row: what names each, its label, a note, and
        why it cannot be applied."""
        sketch = cell_ref(address).kind in LENSES
        return derived.choices(self._core.state, address if sketch else str(branch_of(address)))

    def to_derive(self, instance: str) -> Plan:
        """What an operator makes: the idea of the instance that a decision added, or on the wall
        the newest sketch."""
        if instance == wall_of(self._core.state):
            newest = len(self._core.state.settings_of(instance).get("made", {}))
            return self.to_make([cell_at(instance, "made", newest)], "Make a sketch from others")
        return self.to_stage("ideas", Scope((branch_name(instance, 1),), instance=instance))

    def _title(self, scope: Scope, until: str) -> str:
        """What a run is called."""
        if scope.instance == ARENA:
            return "Judge the rest of the arena"
        named = scope.instance or self._core.name
        if scope.branches:
            named = f"branch {', '.join(map(str, scope.branches))}"
        return f"Run {named} to {until}"

    def _is_due(self, method: str, scope: Scope) -> bool:
        """Whether a run that comes to the stage of the wall of sketches, or of One call, adds it: a
        language model is there, and no one took the method out again."""
        core = self._core
        if not (core.uses_model or core.model):
            return False
        made = core.decision_log()
        added = any(d.action == "method" and d.value.get("method") == method for d in made)
        wanted = method != ONE_CALL or core.state.bounds(IdeaSettings, scope.instance).one_call
        return wanted and not added

    def to_work_out(self, sketches: Sequence[str]) -> Plan:
        """The ideas of these sketches, with what they wait for. Raises UsageError for one of which
        it was not decided that it is worked out."""
        branches = {sketch: branch for branch, sketch in assigned(self._core.state).items()}
        if left := [one for one in sketches if one not in branches]:
            raise UsageError(f"{left[0]} is not to be worked out.", "Pick it first.")
        ideas = [cell_at(branches[one], "idea") for one in sketches]
        rivals = [cell_at(branches[one], "rivals") for one in sketches]
        cells = [a for a in (*rivals, *ideas) if self._core.methods.task(a)]
        return self.to_make(cells, f"Work out {listed([*sketches])}")

    def to_rank(self) -> Plan:
        """The judge's order of the sketches. Raises UsageError without a wall."""
        require_wall(self._core.state)
        return self.to_make([ranking_of(self._core.state)], "Rank the sketches")

    def to_sketch(self, like: str = "") -> Plan:
        """Four more sketches: like one of them, or other ones than there are. Raises UsageError
        without a wall, and where the one is no sketch."""
        state, wall = self._core.state, require_wall(self._core.state)
        if like and like not in sketches(state):
            raise UsageError(f"{like} is no sketch of this session.", "The wall lists them.")
        shown = state.read(like, Sketch) if like else None
        asked = {cell_ref(a).numbers[0] for a in state.cells if a.startswith(cell_at(wall, "more"))}
        call, number = max(asked, default=0) + 1, LENSES["more"].number
        cells = [cell_at(wall, "more", call, n + 1) for n in range(number)]
        given = {"like": f"{shown.title}. {shown.sentence}"} if shown else {}
        title = f"Sketch more like {like}" if like else "Sketch other ones than these"
        return self.to_make([*cells, named_of(state)], title, given=given)

    def to_look(self) -> Plan:
        """A look for papers that are new since the person looked."""
        return self.to_make([NEWS], "Look for new papers", again=True)

    def to_judge_rest(self) -> Plan:
        """The matches that are left between the ideas of all methods.

        Raises UsageError where there are no two ideas.
        """
        if (there := len(self._core.state.ideas())) < 2:
            raise UsageError(
                f"The arena compares ideas, and there {'is only one' if there else 'are none yet'}."
            )
        return self.to_stage(scope=Scope(instance=ARENA))

    def to_judge(self, match: str) -> Plan:
        """One match in both orders; once more where it was judged."""
        again = self._core.state.in_use(match) is not None
        return self.to_make([match], f"Judge {match} in both orders", again=again)

    def to_make(
        self,
        addresses: Sequence[str],
        title: str,
        *,
        again: bool = False,
        step: str = "",
        given: Mapping[str, str] = {},
    ) -> Plan:
        """What it takes to make the named texts, in their order; those that are up to date are left
        out unless ``again``.

        ``step`` makes them by that task of the method (``refine``), with what is ``given``. Raises
        UsageError for what no task makes.
        """
        maker = {a: self._core.methods.maker(a, step) for a in addresses}
        if missing := [a for a, found in maker.items() if found is None]:
            raise UsageError(
                f"{missing[0]} is not made by any task.", "Texts and candidate lists are."
            )
        due = [a for a in addresses if again or not self._core.freshness(a).ok]
        lines = [refresh_line(self._core, a, due, maker[a]) for a in due]
        goal = Goal("refresh", _on(lines), again=again, step=step, given=given)
        return self._plan(title, goal, lines)

    def needs(self, plan: Plan) -> dict[str, tuple[str, ...]]:
        """For each line of a plan, the other lines it is made from."""
        inside = {line.address for line in plan.lines if line.address}
        out: dict[str, tuple[str, ...]] = {}
        for address in inside:
            above = {read.cell for read in reads_of(self._core, address) if not read.parent}
            above.update(self._core.freshness(address).upstream)
            out[address] = tuple(sorted((above & inside) - {address}))
        return out

    def budget_left(self) -> str:
        """What is left of the cap, in words; empty where there is none."""
        cap, spent = self._core.cap(), self._core.spent()
        left, parts = cap.less(spent.money.usd, spent.tokens), []
        if left.usd is not None:
            unpriced = ", without calls of unknown cost" if spent.money.unpriced else ""
            parts.append(f"{dollars(left.usd)} of {Limit(cap.usd)}{unpriced}")
        if left.tokens is not None:
            parts.append(f"{left.tokens:,} of {cap.tokens:,} tokens")
        return f"budget left {' and '.join(parts)}" if parts else ""

    def to_check(self, verb: str, address: str) -> Plan:
        """A check of the branch's idea (``verify``: its novelty, ``against``: a search for the
        strongest prior work) or of its plan (``review``); once more where it was made. Raises
        UsageError where there is nothing to check."""
        branch, (cell, title, step) = self._branch_for(verb, address), CHECKS[verb]
        made = cell_at(branch, cell)
        again = bool(step) or self._core.state.in_use(made) is not None
        return self.to_make([made], title.format(branch), again=again, step=step)

    def refine_query(self, address: str) -> str:
        """The phrases of the ticked points, with semicolons between; empty where no point takes
        reading."""
        return joined("; ", *map(phrase_of, self._to_answer(address)[1]))

    def to_refine(self, address: str, query: str | None = None) -> Plan:
        """The next version of the plan, from the ticked points of its review. Raises UsageError
        without plan, review or tick.

        ``query``: the words to search for before; empty searches nothing, None leaves them to the
        model.
        """
        branch, ticked = self._to_answer(address)
        plan = cell_at(branch, "exp")
        searched = f", after a search for “{query}”" if query else ""
        title = f"Refine {plan} with points {', '.join(str(p.n) for p in ticked)}{searched}"
        given = {QUERY: self.refine_query(address) if query is None else query}
        return self.to_make([plan], title, again=True, step="refine", given=given)

    def _to_answer(self, address: str) -> tuple[Branch, list[ReviewPoint]]:
        """The branch of a plan to refine, and the ticked points of its review."""
        branch = self._branch_for("refine", address)
        review = self._core.state.in_use(cell_at(branch, "review"))
        ticked = ticked_points(self._core.state, branch, review) if review else []
        if not ticked:
            raise UsageError(
                f"Branch {branch}: {NOTHING_TICKED}, so nothing is sent.",
                f"Tick one in the review (Enter on its row, Space; `coi decide NAME {branch}/review tick 1`).",
            )
        return branch, ticked

    def _branch_for(self, verb: str, address: str) -> Branch:
        require(VERBS[verb], Target(self._core, address))
        return branch_of(address)

    def to_search_again(self, slot: str) -> Plan:
        """What a new search for a slot takes; a slot that was never searched for gets its first
        one. Raises UsageError, also where the same search found nothing."""
        listed = attached_to(slot, CANDIDATES)
        if found_nothing(self._core, slot):
            raise UsageError(
                f"The search for {slot} found nothing, and the same one would find nothing again.",
                "Search for the anchor with other words, or pin a paper that you know.",
            )
        if self._core.state.in_use(listed) is None:
            return self.to_retry(listed)
        return self.to_make([listed], f"Search again for {slot}", again=True)

    def to_retry(self, address: str) -> Plan:
        """The failed task of a cell once more, and no more than it."""
        failed = [f for f in self._core.journal.failures if f.address == address]
        if failed and failed[-1].step == ModelDraftsTask.name:
            return self.to_draft(address)
        method = self._core.methods.of(address)
        option = method.retry(self._core.state, address) if method else None
        if option:
            return self.to_stage(option.until, option.scope)
        again = self._core.state.in_use(address) is not None and self._core.freshness(address).ok
        return self.to_make([address], f"Try {address} again", again=again)

    def to_refresh(self, addresses: Sequence[str] | None = None, *, again: bool = False) -> Plan:
        """What it takes to bring cells up to date: all stale ones, or those named with what they
        wait for. ``again``: even where fresh, as a new sample."""
        core = self._core
        for address in addresses or ():
            if core.methods.task(address) is None or not core.state.cell(address).versions:
                raise UsageError(
                    f"{address} cannot be refreshed.",
                    "Texts and candidate lists that exist can be.",
                )
        if addresses is None or not again:
            addresses = due(core, addresses)
        made = {*addresses}
        lines = [refresh_line(core, a, made) for a in addresses]
        on = _on(lines)
        goal = Goal("refresh", on, again=again)
        return self._plan(f"Refresh {count(len(on), 'row')}", goal, lines)

    def to_draft(self, address: str) -> Plan:
        """A further draft of a direction or an idea by each of the models that are set for it, a
        line each; without one where a text of a model is there that was made from the same inputs.

        Raises UsageError for another row, one without a text, and where no model is set.
        """
        core, llm = self._core, self._core.settings.llm
        _require_draft(core, address)
        task, now = ModelDraftsTask(core.methods.task), core.inputs_now(address)
        versions = map(core.state.versions.__getitem__, core.state.cell(address).versions)
        there = {v.recipe.get("model") for v in versions if dict(v.inputs) == now}
        line, lines = refresh_line(core, address, maker=task), list[PlanLine]()
        if line.cost.role != "main":
            line = replace(line, off=line.off or "no call of the main model makes it")
        for model in llm.drafting:
            usd = price_of(line.cost, model, llm.prices, llm.base_url)
            off = line.off or (
                "it has drafted from the same inputs already" if model in there else ""
            )
            what, at = f"{address} by {model}", "" if off else address
            lines.append(replace(line, what=what, why="", usd=usd, off=off, address=at))
        models = ", ".join(m for m, one in zip(llm.drafting, lines, strict=True) if not one.off)
        made = (address,) if models else ()
        goal = Goal("refresh", made, again=True, step=task.name, given={MODELS: models})
        plan = self._plan(f"Further drafts of {address} to choose from", goal, lines)
        note = "The text in use stays until you choose a draft; then it is shown who wrote which."
        return replace(plan, models=models or plan.models, note=note)

    def to_rewrite(self, address: str) -> Plan:
        """What it takes to rewrite a text as it was asked for; nothing where a version made for
        that came back into use."""
        return self.to_make([address], f"Rewrite {address} as you asked")

    def to_resume(self, until: str | None = None) -> Plan:
        """Go on where the last job stopped: its stage or its addresses, finished calls for free."""
        goal, ended = self._last_goal()
        if until is None and goal.get("kind") == "refresh" and not ended:
            if goal.get("step") == ModelDraftsTask.name:
                with suppress(UsageError):  # where the settings name no model any more
                    if not (plan := self.to_draft(goal["addresses"][0])).empty:
                        return plan
            left = [a for a in goal.get("addresses", []) if not self._core.freshness(a).ok]
            if left:
                return self.to_refresh(left)
        stored = {name: value for name, value in goal.get("scope", {}).items() if name != "closed"}
        scope = Scope(**{**stored, "branches": tuple(stored.get("branches", ()))})
        return self.to_stage(until or goal.get("until") or "", EVERYTHING if until else scope)

    def _last_goal(self) -> tuple[Values, bool]:
        """What the last job was approved for, and whether that was done."""
        events = self._core.file.job_events()
        last = next((e for e in reversed(events) if e.state == "approved"), None)
        if last is None:
            return {}, True
        return last.detail, any(e.job == last.job and e.state == "done" for e in events)

    def _plan(self, title: str, goal: Goal, lines: Sequence[PlanLine]) -> Plan:
        core, setup = self._core, self._core.setup
        plan = Plan(
            title,
            goal,
            tuple(lines),
            setup.model,
            setup.source,
            sends(core, setup, lines),
            spent=str(core.spent()),
        )
        asks = core.settings.show_plans or (setup.online_model and plan.calls[1] > 0)
        return replace(plan, asks=asks)

    # -- the menu of a row

    def offers(self, address: str) -> list[Offer]:
        """What each method offers at a row: for its branch, or for all branches where the row
        belongs to none. Lines beyond the last letter are reached by the arrows and Enter."""
        core, free = self._core, iter(FREE_LETTERS)
        out = [self._offer(option) for option in core.methods.options(core.state, address)]
        rest = self.to_stage(scope=Scope(instance=cell_ref(address).instance))
        off = "this session is read-only" if core.read_only_reason else ""
        add = Offer(
            ADD_METHOD, "add another method", "to this session, over its topic and papers", off=off
        )
        with suppress(UsageError):
            plan = self.to_draft(address)
            what, off = f"a draft by each of {count(len(plan.lines), 'model')}", plan.lines[0].off
            out.append(Offer("", what, address, None if plan.empty else plan, off * plan.empty))
        idle = core.scheduler is None and not find_goal(core)().stage
        bare = "nothing can be made at this point" if idle else ""
        out += [Offer("a", "all branches to a stage", "choose how far", rest, bare), add]
        return [offer if offer.key else replace(offer, key=next(free, "")) for offer in out]

    def _offer(self, option: MenuOption) -> Offer:
        offer = Offer(option.key, option.what, option.note, off=option.off)
        if option.off:
            return offer
        if option.until:
            plan = self.to_stage(option.until, option.scope)
        else:
            again = bool(option.task)
            plan = self.to_make(option.addresses, option.plan_title, again=again, step=option.task)
            if first := [line.address for line in plan.on][:-1]:
                more = f" and {len(first) - 1} more" if len(first) > 1 else ""
                offer = replace(offer, note=f"{first[0]}{more} first")
        if plan.empty:
            off = next((line.off for line in plan.lines if line.off), NOTHING)
            return replace(offer, off=off)
        return replace(offer, plan=plan)

    def methods_to_add(self) -> Mapping[str, str]:
        """The methods that can be added to the session, by name, each with where it is there
        already and what it does."""
        out = dict(methods_to_add())
        for name, about in out.items():
            instances = self._core.state.instances.items()
            if there := [at for at, one in instances if one.method == name]:
                out[name] = f"here: {', '.join(there)}   {about}"
        return out


def _on(lines: Sequence[PlanLine]) -> tuple[str, ...]:
    return tuple(line.address for line in lines if not line.off)


def _staying(finished: Sequence[Branch]) -> str:
    if not finished:
        return ""
    one = len(finished) == 1
    names = listed([*map(str, finished)])
    begins = (
        f"Branch {names} is finished and gets" if one else f"Branches {names} are finished and get"
    )
    return f"{begins} no more papers; g on {'it' if one else 'one'} continues it."


# which cells a refresh makes, and why


def reads_of(core: SessionCore, address: str) -> tuple[Read, ...]:
    """What the task of a cell reads; empty for a cell that none makes."""
    task = core.methods.task(address)
    return task.reads(core.state, address) if task else ()


def due(core: SessionCore, named: Sequence[str] | None) -> list[str]:
    """What a refresh makes, inputs first: the named cells, else all that are not up to date, with
    what they are made from that is not up to date or not made yet."""
    fresh, methods, state = core.fresh, core.methods, core.state
    old = {a for a in fresh if fresh[a].status in OLD and methods.task(a)}
    seen, order = set[str](), list[str]()

    def visit(address: str) -> None:
        if address in seen:
            return
        seen.add(address)
        for read in reads_of(core, address):
            missing = not read.optional and state.value(read.ref) is None
            if not read.parent and (read.cell in old or (missing and _creatable(core, read.cell))):
                visit(read.cell)
        order.append(address)

    for address in sorted(old if named is None else named, key=methods.order):
        visit(address)
    return order


def _creatable(core: SessionCore, address: str) -> bool:
    """Whether a text does not exist and can be made, with what it needs that does not exist
    either."""
    if core.methods.task(address) is None or core.state.in_use(address) is not None:
        return False
    return all(
        read.optional or core.state.value(read.ref) is not None or _creatable(core, read.cell)
        for read in reads_of(core, address)
    )


def refresh_line(
    core: SessionCore, address: str, made_before: Collection[str] = (), maker: Task | None = None
) -> PlanLine:
    """One cell of a refresh: why it is not fresh, and the reason where it is left out.
    ``made_before``: what the plan makes first. ``maker``: the task, where it is not the cell's
    own."""
    task, freshness = maker or core.methods.task(address), core.freshness(address)
    cost = task.cost(core.state, address) if task else Cost()
    reads = task.reads(core.state, address) if task and freshness.status == "missing" else ()
    off, why = _left_out(core, address, reads, freshness, made_before), reasons(freshness)
    if core.state.cell(address).lock is not None and not off:
        why += "; your text stays, the result comes as an alternative"
    return PlanLine(address, why, cost, price(core, cost), address, off)


def _require_draft(core: SessionCore, address: str) -> None:
    """Raises UsageError where no model can write a further draft at an address."""
    if cell_ref(address).kind not in DRAFTS or core.state.in_use(address) is None:
        raise UsageError(
            f"{address} is no direction or idea that is there.",
            "Further drafts are made of these.",
        )
    if not (core.settings.llm.drafting and core.uses_model):
        raise UsageError(
            "No language models are set for further drafts.",
            'Name them: coi config set llm.draft_models "MODEL, MODEL"',
        )


def _left_out(
    core: SessionCore,
    address: str,
    reads: Iterable[Read],
    freshness: Freshness,
    made_before: Collection[str],
) -> str:
    """Why a plan leaves a cell out, of which the task ``reads`` these where it is missing; empty
    where it is made."""
    state = core.state
    needed = (r for r in reads if not (r.optional or r.parent or r.cell in made_before))
    if bare := [*dict.fromkeys(r.cell for r in needed if state.value(r.ref) is None)]:
        missing = "does not exist" if len(bare) == 1 else "do not exist"
        return f"it needs {', '.join(bare[:3])}, which {missing}"
    if needs := [need for need in freshness.needs if need not in made_before]:
        return f"it needs {', '.join(needs)}, which {'is' if len(needs) == 1 else 'are'} empty"
    if freshness.choice_waits:
        return "a newer version waits for you to compare it with yours"
    return "protected by you" if state.cell(address).protected else ""


def _changed(name: str) -> str:
    cell, _, field = name.partition("#")
    return (
        f"your PDF of {cell}" if field == PDF else "what you asked for" if field == WISHES else cell
    )


def reasons(freshness: Freshness) -> str:
    """Why a cell is not fresh, in a few words."""
    if freshness.status == "missing":
        return "not made yet"
    if freshness.needs:
        return f"needs {', '.join(freshness.needs)}"
    if freshness.changed:
        cells = list(dict.fromkeys(_changed(name) for name in freshness.changed))
        return f"changed: {', '.join(cells[:4])}{' ...' if len(cells) > 4 else ''}"
    if freshness.upstream:
        return f"waits for {', '.join(freshness.upstream[:4])}"
    return "asked again"
