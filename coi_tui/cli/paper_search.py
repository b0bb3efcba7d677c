"""What a session searches: ``coi papers criteria`` (which papers may be proposed), ``sources`` (who
is asked for them first) and ``reading`` (what was found)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.decide import confirm_impact, yes_option
from coi_tui.cli.output import as_json, json_option, opened, say, session_argument

if TYPE_CHECKING:
    from coi_tui.methods.evidence.reading_entries import ReadingEntry


@click.command()
@session_argument
@click.argument("what", type=click.Choice(("show", "clear")), required=False)
@click.option(
    "--no-surveys/--surveys",
    default=None,
    help="Leave out surveys, reviews and tutorials, or allow them again.",
)
@click.option(
    "--years", metavar="FROM-TO", help="2018-2026, 2018- or -2026; empty removes the range."
)
@click.option(
    "--venue",
    "venues",
    multiple=True,
    metavar="WORD",
    help="The venue must contain one of these; may be repeated.",
)
@click.option(
    "--without-venue",
    "without_venues",
    multiple=True,
    metavar="WORD",
    help="The venue must contain none of these.",
)
@click.option(
    "--word",
    "words",
    multiple=True,
    metavar="WORD",
    help="Title or abstract must contain one of these; gra* matches any ending.",
)
@click.option(
    "--without-word",
    "without_words",
    multiple=True,
    metavar="WORD",
    help="Title and abstract must contain none of these.",
)
@click.option(
    "--citations", type=int, metavar="N", help="Minimum number of citations; 0 removes it."
)
@click.option("--reason", default="", help="Why; recorded in the log.")
@yes_option
@json_option
def criteria(
    name: str, what: str | None, reason: str, yes: bool, json_out: bool, **rules: Any
) -> None:
    """Show, set or clear the criteria for which papers may be proposed.

    A rule replaces the one of its kind, and an empty word removes it; the other rules stay. Papers
    that are left out stay in the lists with the reason, and can still be chosen by hand.
    """
    from coi_tui.model.criteria import ADDRESS
    from coi_tui.model.errors import UsageError
    from coi_tui.session.decisions.criteria import changed, criteria_of, effect

    given = _given(rules)
    if what is not None and given:
        raise UsageError(
            f"{what} cannot be combined with rules.", f"Leave out {what} or the rules."
        )
    with opened(name, read_only=what != "clear" and not given) as session:
        if what == "clear" or given:
            before = None if what == "clear" else criteria_of(session.state)
            asked = changed(before, given)
            confirm_impact(
                session.impact(ADDRESS, lambda trial: trial.decide("criteria", "criteria", asked)),
                yes,
            )
            session.decide("criteria", "criteria", asked, reason=reason)
        now = criteria_of(session.state)
        if json_out:
            as_json(
                {
                    "criteria": now.rules(),
                    "lines": list(now.lines()),
                }
            )
        else:
            say(effect(session.core))


def _given(rules: Mapping[str, Any]) -> dict[str, Any]:
    """The rules that were typed. No citations means no such rule."""
    given = {key: value for key, value in rules.items() if value not in (None, ())}
    if given.get("citations") == 0:
        given["citations"] = None
    return given


@click.command()
@session_argument
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option("--clear", is_flag=True, help="Use the order in the settings.")
@click.option("--reason", default="", help="Why; recorded in the log.")
@json_option
def sources(
    name: str,
    sources: tuple[str, ...],
    clear: bool,
    reason: str,
    json_out: bool,
) -> None:
    """Show or set the order in which sources of papers are asked (semantic_scholar, openalex).

    The next source is asked only where the one before is unreachable or has nothing. A list of
    citations comes whole from one source. Papers already in the chains stay.
    """
    from coi_tui.model.errors import UsageError

    if clear and sources:
        raise UsageError(
            "--clear cannot be combined with names of sources.", "Leave out --clear or the names."
        )
    change = clear or bool(sources)
    with opened(name, read_only=not change) as session:
        if change:
            session.sources.set(",".join(sources), reason)
        if json_out:
            as_json({"sources": list(session.sources.of())})
        else:
            say(session.sources.effect())


@click.command()
@session_argument
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    metavar="N",
    help="Show the first N papers.",
)
@json_option
def reading(name: str, top: int, json_out: bool) -> None:
    """Show the reading list: everything a session found, best first.

    Ranked by the words of the topic and by the citations among the papers found. With --json the
    whole list.
    """
    with opened(name, read_only=True) as session:
        found = session.queries.reading_list()
        if json_out:
            as_json(
                {
                    "searched": list(found.searched),
                    "note": found.note,
                    "entries": [_as_data(entry) for entry in found.entries],
                }
            )
            return
        for line in (*found.searched, *([found.note] if found.note else [])):
            say(line)
        if not found.entries:
            say("No paper was found yet. `coi run` or `coi resume` finds some.")
        for entry in found.entries[:top]:
            say(f"{entry.rank:>4}  {entry.year or '????'}  {entry.title}  [{entry.paper}]")
            say(f"            {entry.reasons()}")
        if len(found.entries) > top:
            say(f"{len(found.entries) - top} more: --top {len(found.entries)} shows all.")


def _as_data(entry: ReadingEntry) -> dict[str, Any]:
    return {**asdict(entry), "places": list(entry.places), "ranks": dict(entry.ranks or {})}
