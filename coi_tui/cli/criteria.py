"""The command about which papers may be proposed in a session."""

from __future__ import annotations

from typing import Any

import click

from coi_tui.cli.output import as_json, json_option, opened, say


@click.command()
@click.argument("name")
@click.argument("what", type=click.Choice(("show", "clear")), required=False)
@click.option("--no-surveys/--surveys", default=None, help="Leave surveys, reviews and tutorials out, or let them in again.")
@click.option("--years", metavar="FROM-TO", help="2018-2026, 2018- or -2026; an empty text takes the range away.")
@click.option("--venue", "venues", multiple=True, metavar="WORD", help="One of these must stand in the venue; may be given several times.")
@click.option("--without-venue", "without_venues", multiple=True, metavar="WORD", help="None of these may stand in the venue.")
@click.option("--word", "words", multiple=True, metavar="WORD", help="Title or abstract must say one of these; gra* is any ending.")
@click.option("--without-word", "without_words", multiple=True, metavar="WORD", help="Title and abstract may say none of these.")
@click.option("--citations", type=int, metavar="N", help="The least number of citations; 0 takes the rule away.")
@click.option("--reason", default="", help="Why; kept in the log.")
@json_option
def criteria(name: str, what: str | None, years: str | None, citations: int | None, reason: str, json_out: bool, **rules: Any) -> None:
    """Which papers may be proposed: show the criteria, set some of them, or clear them all.

    A rule that is given replaces the one of its kind, and an empty word takes it away; the others stay. What the criteria leave out stays
    in the lists with its reason, and can be chosen by hand.
    """
    from coi_tui.model.errors import UsageError
    from coi_tui.session.decisions.criteria import changed, criteria_of, effect, stale_lists

    given = {key: value for key, value in rules.items() if value not in (None, ())}
    given |= {"years": years} if years is not None else {}
    given |= {"citations": citations or None} if citations is not None else {}
    if what is not None and given:
        raise UsageError(f"{what} goes without rules.", "Leave the word or the rules out.")
    with opened(name, read_only=what != "clear" and not given) as session:
        held = criteria_of(session.state)
        if what == "clear" or given:
            session.decisions.set_criteria(changed(None if what == "clear" else held, given), reason)
        now = criteria_of(session.state)
        if json_out:
            as_json({"criteria": now.rules(), "lines": list(now.lines()), "to_rank_again": stale_lists(session.core)})
        else:
            say(effect(session.core))
