"""Commands that make and run plans: ``coi demo``, ``new``, ``run``, ``resume`` and ``refresh``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from coi_tui.cli.jobs import JobOptions, job_options, start, write_proposal
from coi_tui.cli.output import (
    Target,
    address_argument,
    log_to_file,
    open_app,
    opened,
    out_option,
    say,
    session_argument,
    settings,
    tell,
)

if TYPE_CHECKING:
    from coi_tui.session.session import Session

Command = TypeVar("Command", bound=Callable[..., Any])

until_option = click.option(
    "--until", metavar="STAGE", help="Stop after this stage, such as ideas."
)
method_option = click.option(
    "--method", metavar="METHOD", default="", help="The method to run (default: Chain of Ideas)."
)
anew_option = click.option(
    "--refresh", "anew", is_flag=True, help="Ask the services again, even if an answer is stored."
)


@click.command()
@click.option(
    "--headless",
    is_flag=True,
    help="Without the app: run the whole method on the recorded replies and write the proposal.",
)
@out_option
def demo(headless: bool, out: Target | None) -> int:
    """Open a session with recorded answers of a language model; with --headless, make it. No key,
    no network, no cost."""
    if not headless:
        return open_app(demo=True)
    from coi_tui.paths import paths
    from coi_tui.present.snapshot import RECORDED
    from coi_tui.session.names import free_name
    from coi_tui.session.recorded_run import recorded_plans, recorded_run

    log_to_file()
    tell(RECORDED)
    found = paths()
    with recorded_run(found, free_name(found, "demo")) as session:
        for plan in recorded_plans(session):
            if code := start(session, plan, "", JobOptions(yes=True)):
                return code
        write_proposal(session, out or Target("-"))
    return 0


_NEW = (
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
    method_option,
    click.option(
        "--no-one-call",
        is_flag=True,
        help="Do not make the idea of One call, which the method's ideas are compared with.",
    ),
    click.option(
        "--known-until",
        metavar="DATE",
        default="",
        help="Ignore papers published after this YYYY, YYYY-MM or YYYY-MM-DD.",
    ),
    click.option(
        "--offline",
        is_flag=True,
        help="Use only the starter library and the drafter; nothing leaves this machine.",
    ),
)


def new_session_options(command: Command) -> Command:
    """TOPIC and the options that a session begins with."""
    for option in reversed(_NEW):
        command = option(command)
    return command


@click.command()
@new_session_options
def new(**wanted: Any) -> None:
    """Start a session on TOPIC and run nothing; `coi resume` or the app goes on."""
    with _created(**wanted) as session:
        say(session.name)
        tell(
            f"Session {session.name}: {session.core.file.path}. `coi resume {session.name}` shows the plan and runs it."
        )


@click.command()
@new_session_options
@until_option
@anew_option
@job_options(out=True)
def run(until: str | None, anew: bool, options: JobOptions, **wanted: Any) -> int:
    """Start a session on TOPIC and run it, after showing the plan and its cost range and asking.
    Where the answer is no, no session is left."""
    from coi_tui.model.errors import ConsentNeeded
    from coi_tui.paths import paths
    from coi_tui.session.admin.session_files import forget_session
    from coi_tui.session.runs.planner import check_stage
    from coi_tui.session.watch import stages

    if until:
        check_stage(until, stages(wanted["method"]))  # before a session is made for nothing
    session = _created(**wanted)
    try:
        with session:
            plan = replace(session.planner.to_stage(until or ""), anew=anew)
            tell(f"Session {session.name}: {session.core.file.path}")
            return start(session, plan, plan.goal.until, options)
    except ConsentNeeded:
        forget_session(paths(), session.name)
        raise


def _created(
    topic: str, name: str, method: str, offline: bool, no_one_call: bool, **bounds: Any
) -> Session:
    """A session that has nothing but its first decisions. Raises UsageError for bounds that do not
    go together, StoreError for a name that is taken."""
    from coi_tui.session.watch import create_session

    log_to_file()
    given = {key: value for key, value in bounds.items() if value}
    given |= {"one_call": False} if no_one_call else {}
    return create_session(
        topic, *settings(), name=name, offline=offline, method=method, bounds=given
    )


@click.command()
@session_argument
@click.option(
    "--method",
    metavar="METHOD",
    default="",
    help="Add this method to the session, or continue it, and run it.",
)
@click.option(
    "--arena",
    is_flag=True,
    help="Judge the matches that are left between the ideas of all methods.",
)
@until_option
@click.option(
    "--offline/--online",
    "offline",
    default=None,
    help="From now on, work offline or online in this session.",
)
@anew_option
@job_options(out=True)
def resume(
    name: str,
    method: str,
    arena: bool,
    until: str | None,
    offline: bool | None,
    anew: bool,
    options: JobOptions,
) -> int:
    """Continue a session where it stopped; finished calls are not charged again."""
    from coi_tui.engine.declarations import Scope
    from coi_tui.model.errors import UsageError

    if arena and (method or until):
        raise UsageError(
            "--arena goes with neither --method nor --until.",
            "It judges the matches that are left, and no more.",
        )
    with opened(name) as session:
        if offline is not None and offline != session.core.offline:
            session.decide("network", "session", offline)
        if arena:
            plan = session.planner.to_judge_rest()
        elif method:
            plan = session.planner.to_stage(
                until or "", Scope(instance=session.instance_of_method(method))
            )
        else:
            plan = session.planner.to_resume(until)
        return start(session, replace(plan, anew=anew), plan.goal.until or "", options)


@click.command()
@session_argument
@address_argument(required=False)
@click.option("--again", is_flag=True, help="Ask again even where the cell is fresh.")
@job_options()
def refresh(name: str, address: str | None, again: bool, options: JobOptions) -> int:
    """Bring stale cells up to date, oldest first; stops early where nothing changed."""
    with opened(name) as session:
        plan = session.planner.to_refresh(
            [session.queries.resolve(address)] if address else None, again=again
        )
        if plan.empty:
            for line in plan.lines:
                tell(f"Left out: {line.what}: {line.off}.")
            say(
                "Nothing to refresh: everything is fresh."
                if not plan.lines
                else "Nothing can be refreshed as things stand."
            )
            return 0
        return start(session, plan, "", options)


@click.command()
@session_argument
@address_argument()
@click.argument("wish", metavar="WISH")
@job_options()
def ask(name: str, address: str, wish: str, options: JobOptions) -> int:
    """Say in words how the text at ADDRESS should be, such as "make it more about accessibility";
    the model rewrites it."""
    from coi_tui.model.errors import ConsentNeeded

    with opened(name) as session:
        at = session.queries.resolve(address)
        decided = session.decide("ask", at, wish)
        plan = session.planner.to_rewrite(at)
        if not plan.lines:
            say(f"{at} is what was written when you asked for that before; no call was needed.")
            return 0
        try:
            code = start(session, plan, "", options)
        except ConsentNeeded:
            if decided is not None:
                session.undo_stack.undo()
            raise
        if not code:
            tell(
                f"`coi diff {session.name} {at}` shows what changed, `coi undo {session.name}` takes it back."
            )
        return code
