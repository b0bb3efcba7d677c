"""Commands that make and run plans: ``coi demo``, ``new``, ``run``, ``resume``, ``refresh``, ``ask``,
and checks of ideas and plans."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.decide import vote
from coi_tui.cli.jobs import for_a_plan, job_options, start, write_proposal
from coi_tui.cli.output import (
    OutputTarget,
    address_argument,
    address_if_given,
    environment,
    flag,
    log_to_file,
    open_app,
    opened,
    options,
    out_option,
    say,
    session_to_change,
    tell,
)
from coi_tui.cli.output import ask as agree
from coi_tui.cli.sketch_commands import more, rank, sketches, work_out
from coi_tui.model.errors import UsageError
from coi_tui.paths import paths
from coi_tui.session.files import forget_session, free_name
from coi_tui.session.new_session import NewSessionDraft, create_session
from coi_tui.session.recorded_session import recorded_plans, recorded_run, reset_recorded

if TYPE_CHECKING:
    from coi_tui.session.session import Session

until_option = click.option(
    "--until", metavar="STAGE", default="", help="Stop after this stage, such as ideas."
)
no_cache_option = flag(
    "--refresh",
    "no_cache",
    help="Ask the services again, even if an answer is stored.",
)


@click.command()
@flag(
    "--headless",
    help="Without the app: run the whole method on the recorded replies and write the proposal.",
)
@flag("--reset", help="Bring it back as it was; yours stays, renamed.")
@out_option
def demo(headless: bool, reset: bool, out: OutputTarget | None) -> int:
    """Open a session with recorded answers of a language model; with --headless, make it. No key,
    no network, no cost."""
    if reset:
        tell(reset_recorded(paths()))
        return 0
    if not headless:
        return open_app(demo=True)
    from coi_tui.present.snapshot import RECORDED

    log_to_file()
    tell(RECORDED)
    with recorded_run(paths(), free_name(paths(), "demo")) as session:
        for plan in recorded_plans(session):
            if code := start(session, plan, yes=True):
                return code
        write_proposal(session, out or OutputTarget("-"))
    return 0


new_session_options = options(
    click.argument("topic"),
    click.option("--name", default="", help="The session's name (default: made from the topic)."),
    click.option(
        "--branches", type=click.IntRange(1, 5), metavar="K", help="Number of chains (default 3)."
    ),
    click.option(
        "--length",
        type=click.IntRange(1, 12),
        metavar="L",
        help="Most papers in a chain (default 5).",
    ),
    click.option(
        "--method",
        metavar="METHOD",
        default="",
        help="The method to run (default: Chain of Ideas).",
    ),
    click.option(
        "--no-one-call",
        "one_call",
        flag_value=False,
        default=None,
        help="Do not make the idea of One call, which the method's ideas are compared with.",
    ),
    click.option(
        "--work-out",
        type=click.IntRange(1, 20),
        metavar="N",
        help="Work out the N best sketches (default: the best of each branch and of the rest).",
    ),
    click.option(
        "--known-until",
        metavar="DATE",
        help="Ignore papers published after this YYYY, YYYY-MM or YYYY-MM-DD.",
    ),
    click.option(
        "--like",
        metavar="NAME",
        default="",
        help="Show the sketches that you rejected in session NAME, or that fell there, to new ones.",
    ),
    flag(
        "--offline",
        help="Use only the starter library and the drafter; nothing leaves this machine.",
    ),
)
"""TOPIC and the options that a session begins with."""


def _created(
    topic: str, name: str, method: str, offline: bool, like: str, **bounds: Any
) -> Session:
    """A session that has nothing but its first decisions. Raises UsageError for bounds that do not
    go together, StoreError for a name that is taken."""
    from coi_tui.methods.ideas.sketches import BEFORE, turned_down

    log_to_file()
    given = {key: value for key, value in bounds.items() if value is not None}
    draft = NewSessionDraft(topic, name=name, offline=offline, method=method)
    with opened(like, read_only=True) if like else contextlib.nullcontext() as old:
        session = create_session(draft, environment(), given)
        if old:
            session.decide("settings", "session", {BEFORE: turned_down(old.state)}, f"as in {like}")
    tell(f"Session {session.name}: {session.file.path}")
    return session


@click.command()
@new_session_options
def new(**wanted: Any) -> None:
    """Start a session on TOPIC and run nothing; `coi resume` or the app goes on."""
    with _created(**wanted) as session:
        say(session.name)
        tell(f"`coi resume {session.name}` shows the plan and runs it.")


@click.command()
@new_session_options
@until_option
@no_cache_option
@job_options
@out_option
def run(
    until: str,
    no_cache: bool,
    yes: bool,
    budget: Any,
    json_out: bool,
    out: OutputTarget | None,
    **wanted: Any,
) -> int:
    """Start a session on TOPIC and run it, after showing the plan and its cost range and asking.
    Where the answer is no, no session is left."""
    from coi_tui.methods.registry import stages_of
    from coi_tui.session.runs.planner import check_stage

    if until:
        check_stage(until, stages_of(wanted["method"]))  # before a session is made for nothing
    session = _created(**wanted)
    with contextlib.ExitStack() as refused:
        refused.callback(forget_session, paths(), session.name)
        with session:
            plan = replace(session.planner.to_stage(until), no_cache=no_cache)
            how = {"yes": yes, "budget": budget, "json_out": json_out, "out": out}
            return start(session, plan, plan.goal.until, refused=refused, **how)


@click.command()
@session_to_change
@click.option(
    "--method",
    metavar="METHOD",
    default="",
    help="Add this method to the session, or continue it, and run it.",
)
@flag(
    "--arena",
    help="Judge the matches that are left between the ideas of all methods.",
)
@until_option
@click.option(
    "--offline/--online",
    "offline",
    default=None,
    help="From now on, work offline or online in this session.",
)
@no_cache_option
@job_options
@out_option
def resume(
    session: Session,
    method: str,
    arena: bool,
    until: str,
    offline: bool | None,
    no_cache: bool,
    **how: Any,
) -> int:
    """Continue a session where it stopped; finished calls are not charged again."""
    from coi_tui.engine.declarations import Scope

    if arena and (method or until):
        raise UsageError(
            "--arena goes with neither --method nor --until.",
            "It judges the matches that are left, and no more.",
        )
    with for_a_plan(session) as refused:
        if offline is not None and offline != session.offline:
            session.decide("network", "session", offline)
        if arena:
            plan = session.planner.to_judge_rest()
        elif method:
            scope = Scope(instance=session.instance_of_method(method))
            plan = session.planner.to_stage(until, scope)
        else:
            plan = session.planner.to_resume(until or None)
        plan = replace(plan, no_cache=no_cache)
        return start(session, plan, plan.goal.until or "", refused=refused, **how)


@click.command()
@session_to_change
@address_if_given
@flag("--again", help="Ask again even where the cell is fresh.")
@job_options
def refresh(session: Session, address: str | None, again: bool, **how: Any) -> int:
    """Bring stale cells up to date, oldest first; stops early where nothing changed."""
    only = [address] if address else None
    plan = session.planner.to_refresh(only, again=again)
    return start(session, plan, **how)


@click.command()
@session_to_change
@address_argument
@click.argument("wish", metavar="WISH")
@job_options
def ask(session: Session, address: str, wish: str, **how: Any) -> int:
    """Say in words how the text at ADDRESS should be, such as "make it more about accessibility";
    the model rewrites it."""
    with for_a_plan(session) as refused:
        session.decide("ask", address, wish)
        plan = session.planner.to_rewrite(address)
        if not plan.lines:
            refused.pop_all()
            say(f"{address} is the text that this request gave before; no call was needed.")
            return 0
        code = start(session, plan, refused=refused, **how)
        if not code:
            tell(
                f"`coi diff {session.name} {address}` shows what changed, `coi undo {session.name}` takes it back."
            )
        return code


# -- checks


@click.group()
def ideas() -> None:
    """Check ideas against papers and against each other; review and refine their plans."""


for command in (vote, sketches, more, rank, work_out):
    ideas.add_command(command)


CHECKED = ("idea", "novelty", "experiment", "review")
"""The roles of rows at which it is plain what a check is about."""


def _check(command: str, verb: str, about: str) -> Callable[..., int]:
    @ideas.command(command, help=about)
    @session_to_change
    @address_argument
    @job_options
    def check(session: Session, address: str, **how: Any) -> int:
        plan, kind = session.planner.to_check(verb, address), session.methods.kind(address)
        if kind.name != "branch" and kind.role not in CHECKED and not how["yes"]:
            title = kind.title.lower()
            nobody = f"{address} is no idea or plan but a {title}, and this is not a terminal."
            agree(f"{address} is a {title}. {plan.title}?", nobody, "Nothing was checked.")
        return start(session, plan, **how)

    return check


_check(
    "novelty",
    "verify",
    "Check the novelty of the idea of the branch of ADDRESS; where it was checked before, search again.",
)
_check(
    "against",
    "against",
    "Search for the strongest prior work against the idea of the branch of ADDRESS; the novelty report goes on with what is found.",
)
_check(
    "review",
    "review",
    "Review the experiment plan of the branch of ADDRESS. `coi decide NAME 1/review tick N` ticks a point, `coi ideas refine` answers it.",
)


@ideas.command()
@session_to_change
@address_argument
@click.argument("operator", metavar="OPERATOR")
@click.option("--with", "other", metavar="BRANCH", default="", help="The other idea, to combine.")
@click.option("--change", metavar="FACET", default="", help="What to move; the rest stays.")
@job_options
def derive(
    session: Session, address: str, operator: str, other: str, change: str, **how: Any
) -> int:
    """Make a new idea from the one at ADDRESS: combine, simplify, feasible, unusual, negate, or
    move one of problem, mechanism, evaluation, setting. It is a row of its own."""
    with for_a_plan(session) as refused:
        value = {"operator": operator, "other": other, "change": change}
        made = session.decide("derive", address, value)
        return start(session, session.planner.to_derive(made.address), refused=refused, **how)


@ideas.command()
@session_to_change
@address_argument
@job_options
def drafts(session: Session, address: str, **how: Any) -> int:
    """Make a further draft of the direction or idea at ADDRESS by each model of llm.draft_models.
    `coi diff` compares two of them, `coi decide NAME ADDRESS use v2` takes one."""
    return start(session, session.planner.to_draft(address), **how)


@ideas.command()
@session_to_change
@address_argument
@click.option(
    "--query",
    metavar="WORDS",
    help="Search for these words before; empty searches for nothing. Without it the model chooses.",
)
@job_options
def refine(session: Session, address: str, query: str | None, **how: Any) -> int:
    """Make the next version of an experiment plan from the ticked points of its review. It is not
    in use until you say so."""
    plan = session.planner.to_refine(address, query)
    return start(session, plan, **how)
