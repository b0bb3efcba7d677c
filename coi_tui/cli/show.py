"""Reading a session: ``coi show``, ``why``, ``log``, ``history`` and ``diff``."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import (
    address_argument,
    address_if_given,
    as_json,
    json_option,
    row_width,
    say,
    say_part,
    session_to_read,
)
from coi_tui.model.entries import named
from coi_tui.model.errors import UsageError, in_full
from coi_tui.model.money import dollars
from coi_tui.model.text import joined
from coi_tui.present.plain_text import as_data, parts
from coi_tui.session import wording
from coi_tui.session.files import find_version
from coi_tui.session.queries.differences import difference, in_marks
from coi_tui.session.wording import Row, by_commands, counts

if TYPE_CHECKING:
    from coi_tui.session.session import Session


@click.command()
@session_to_read
@address_if_given
@click.option(
    "--find",
    "words",
    metavar="WORDS",
    default="",
    help="Only rows with these words; “mechanism: WORDS” in that part of ideas and cards.",
)
@json_option
def show(session: Session, address: str | None, words: str, json_out: bool) -> None:
    """Show a session's tree, a line for each row, or one cell in words."""
    if address is None:
        _show_tree(session, words, json_out)
    else:
        _show_cell(session, address, json_out)


def _label(row: Row) -> str:
    """What comes before the line of a row: the year of a paper, else its short name where address
    and line do not say that anyway."""
    if row.kind.value == "slot":
        return str(row.year or "")
    return "" if row.title == row.label or row.address.endswith(row.label) else row.label


def _show_tree(session: Session, words: str, json_out: bool) -> None:
    from rich.cells import cell_len

    from coi_tui.widgets.lines import column, cut, fit

    rows = session.rows()
    step = session.next_step(rows=rows)
    if words:
        found = {match.address for match in session.search_index(rows).find(words)}
        rows = [row for row in rows if row.address in found]
    if json_out:
        as_json(
            {
                "name": session.name,
                "stage": session.stage_reached(),
                "waiting": counts(step.needs),
                "next": step,
                "rows": [wording.as_data(r) for r in rows],
            }
        )
        return
    labels = [_label(r) for r in rows]
    addresses, wide = column((r.address for r in rows), 12, 20), column(labels, 5, 16)
    for r, label in zip(rows, labels, strict=True):
        before = f"{wording.ANCHOR if wording.is_anchor(r) else ' '}{wording.glyph(r)}"
        tail = f"  [{wording.note(r)}]" if wording.note(r) else ""
        head = f"{fit(r.address, addresses)} {before} {'  ' * r.depth}{fit(label, wide)} {wording.line(r)}"
        say(cut(head, row_width() - cell_len(tail)) + tail)
    say(by_commands(step, session.name))


def _show_cell(session: Session, at: str, json_out: bool) -> None:
    found, status, failure = session.detail(at), session.freshness(at), session.failure(at)
    said = (wording.sentence(r) for r in session.rows() if r.address == at)
    words = next(said, f"{at}, {status.status}")
    if json_out:
        version = session.state.in_use(at)
        as_json(
            {
                "address": at,
                "title": found.title,
                "words": words,
                "freshness": status,
                "failed": failure.happened if failure else "",
                "version": version,
                "content": dict(version.content) if version else None,
                "document": as_data(found.blocks),
            }
        )
        return
    say(found.title)
    say(words)
    if failure:
        again = f"`coi resume {session.name}` tries it again."
        say(f"\nFAILED ({failure.technical})\n{failure.happened}\n{failure.intact}\n{again}")
    anew = dict[str, str]()
    if at == "A":  # some parts of the arena are measured when it is shown
        import asyncio

        from coi_tui.present.idea_similarity import idea_similarity

        measured = asyncio.run(session.measured_similarity())
        anew |= parts(idea_similarity(session.state, measured)) if measured else ()
    for heading, text in found.parts:
        say_part(heading, anew.get(heading, text))


@click.command()
@session_to_read
@address_argument
def why(session: Session, address: str) -> None:
    """Explain where a cell comes from, what it depends on and what depends on it."""
    say("\n".join(session.why(address)))


@click.command()
@session_to_read
def log(session: Session) -> None:
    """List the decisions and the tasks that failed, oldest first; what was undone is marked."""
    from coi_tui.session.queries.history import LogLine
    from coi_tui.session.queries.history import log as decided

    lines = decided(session.state, session.journal.entries)[::-1]
    lines += [
        LogLine(f.after, f.time, "coi", "failed", f.address, f.step, in_full(f), "")
        for f in session.journal.failures
    ]
    for line in sorted(lines, key=attrgetter("seq")):
        number = "" if line.action == "failed" else line.seq
        head = f"{number:>5}  {line.time}  {named(line.actor):3}  {line.action:9} {line.address:10}"
        mark = f"  [{line.mark}]" if line.mark else ""
        say(f"{head} {line.about}  {line.reason}{mark}".rstrip())


@click.command()
@session_to_read
@address_argument
def history(session: Session, address: str) -> None:
    """List the versions of a cell, newest first: who made each, when, from which, and which is in
    use."""
    from coi_tui.session.queries.history import versions

    lines = versions(session.state, address)
    for line in lines:
        made = joined("  ", f"v{line.number}", line.time, line.origin, line.by)
        parents = f"from {' and '.join(line.parents)}" if line.parents else ""
        wording_only = "wording only" if line.wording_only else ""
        cost = dollars(line.cost_usd) if line.cost_usd else ""
        say(joined("  ", made, parents, wording_only, cost, line.standing))
    if not lines:
        say(f"{address} has no versions yet.")


@click.command()
@session_to_read
@address_argument
@click.argument("older", required=False, metavar="[V1]")
@click.argument("newer", required=False, metavar="[V2]")
def diff(session: Session, address: str, older: str | None, newer: str | None) -> None:
    """Show what differs between two versions of a text, word by word: [-left out-] and {+added+}.

    Without V2 the version in use is compared, without both with the newest other one, the earlier one
    first.
    """
    found, known = _two_versions(session, address, older, newer), session.state.versions
    before, after = (session.edits.as_text(address, known[seq].content) for seq in found)
    say(in_marks(difference(before, after)))


def _two_versions(
    session: Session, at: str, older: str | None, newer: str | None
) -> tuple[int, int]:
    """The entries of two versions of a cell, the earlier one first where a person does not say
    which. Raises UsageError where there are no two."""
    used = session.state.in_use(at)
    if used is None:
        raise UsageError(f"{at} has no text yet.", "`coi show` lists what there is.")
    second = find_version(session.state, at, newer) if newer else used.seq
    others = [seq for seq in session.state.cell(at).versions if seq != second]
    if not others:
        raise UsageError(
            f"{at} has one version only.", "`coi history` lists the versions of a cell."
        )
    if older is not None:
        return find_version(session.state, at, older), second
    return min(others[-1], second), max(others[-1], second)
