"""What a session searches: ``coi papers criteria`` (which papers may be proposed) and ``reading``
(what was found)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.decide import confirm_impact, yes_option
from coi_tui.cli.output import as_json, json_option, opened, say, session_argument

if TYPE_CHECKING:
    from coi_tui.methods.evidence.reading_list import ReadingEntry


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
            say(
                f"{entry.rank:>4}  {entry.paper.year or '????'}  {entry.paper.title}  [{entry.paper.id}]"
            )
            say(f"            {entry.reasons()}")
        if len(found.entries) > top:
            say(f"{len(found.entries) - top} more: --top {len(found.entries)} shows all.")


def _as_data(entry: ReadingEntry) -> dict[str, Any]:
    row, paper = entry.row, entry.paper
    return {
        "rank": entry.rank,
        "paper": paper.id,
        "title": paper.title,
        "year": paper.year,
        "citations": paper.citations.count,
        "places": list(entry.places),
        "ranks": row.ranks,
        "similarity": row.similarity,
        "cited_by": row.cited_by,
        "readable": bool(paper.abstract),
        "left_out": row.left_out,
        "rejected": entry.rejected,
    }
