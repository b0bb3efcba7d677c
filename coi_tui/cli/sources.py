"""The command about the order in which sources of papers are asked."""

from __future__ import annotations

import click

from coi_tui.cli.output import as_json, json_option, opened, say


@click.command()
@click.argument("name")
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option("--question", type=click.IntRange(min=1), default=None, metavar="N", help="For this question alone.")
@click.option("--clear", is_flag=True, help="Go by the settings again; with --question by the session's order.")
@click.option("--reason", default="", help="Why; kept in the log.")
@json_option
def sources(name: str, sources: tuple[str, ...], question: int | None, clear: bool, reason: str, json_out: bool) -> None:
    """In which order sources of papers are asked: show the order, or set it by naming semantic_scholar, openalex.

    The next source is asked only where the one before is away or has nothing. A list of citations comes whole from one source. What is in
    the chains stays as it is.
    """
    from coi_tui.model.errors import UsageError

    if clear and sources:
        raise UsageError("--clear goes without names of sources.", "Leave the names or --clear out.")
    with opened(name, read_only=not (clear or sources)) as session:
        if question is not None and question not in session.state.branches:
            raise UsageError(f"There is no question {question}.", f"This session has {', '.join(map(str, session.state.branches))}.")
        if clear or sources:
            session.sources.set(",".join(sources), question or 0, reason)
        if json_out:
            own = {str(n): list(order) for n, order in session.core.orders.items()}
            as_json({"sources": list(session.sources.of(question or 0)), "questions": own})
        else:
            say(session.sources.effect(question or 0))
