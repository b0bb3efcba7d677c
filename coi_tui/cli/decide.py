"""The researcher's moves: decide, edit, attach, undo, redo."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import as_json, json_option, opened, say, tell

if TYPE_CHECKING:
    from coi_tui.model.papers import Paper
    from coi_tui.session.session import Session

VERBS = (
    "accept", "reject", "keep", "pin", "choose", "pick", "adopt", "protect", "unprotect", "tick", "dismiss", "reopen", "note", "fork",
)  # fmt: skip


@click.command()
@click.argument("name")
@click.argument("address")
@click.argument("verb", type=click.Choice(VERBS))
@click.argument("value", required=False)
@click.option("--reason", default="", help="Why; kept in the log.")
@click.option("--everywhere", is_flag=True, help="With reject: never propose this paper in the session again.")
@json_option
def decide(name: str, address: str, verb: str, value: str | None, reason: str, everywhere: bool, json_out: bool) -> None:
    """Decide about a cell: accept, reject, keep (still valid), pin ID, choose RANK-or-ID, and more.

    X reject ID keeps a paper out of the whole session.

    A predecessor's address begins with the branch, so no "--" is needed: coi decide NAME 1/-1 reject.
    """
    with opened(name) as session:
        at = session.queries.resolve(address)
        before = _marks(session)
        _act(session, at, verb, value, reason, everywhere)
        _report(session, f"{verb} {at}", before, json_out)


def _act(session: Session, at: str, verb: str, value: str | None, reason: str, everywhere: bool) -> None:
    from coi_tui.model.address import parse_address
    from coi_tui.session.names import find_version

    if verb == "accept":
        session.decisions.accept(at, reason)
    elif verb == "reject" and at == "X":
        session.decisions.avoid(_found(session, value), reason)
    elif verb == "reject":
        session.decisions.reject(at, reason, everywhere=everywhere)
    elif verb == "keep":
        session.decisions.keep(at, reason)
    elif verb == "fork":
        session.decisions.fork(at)
    elif verb == "pick":
        session.decisions.pick(at, reason)
    elif verb in ("protect", "unprotect"):
        session.decisions.protect(at, verb == "protect")
    elif verb == "note":
        session.decisions.note(at, _need(value, "the note's text"))
    elif verb == "choose":
        session.decisions.choose(at, _need(value, "a rank, an id or part of a title"), reason)
    elif verb == "pin":
        session.decisions.pin(at, _found(session, value), reason)
    elif verb == "adopt":
        session.decisions.adopt(at, find_version(session.state, at, _need(value, "a version such as v2")), reason)
    elif verb == "reopen":
        session.decisions.reopen(_need(value, "a paper's id"), parse_address(at).branch)
    elif verb == "tick" and at.endswith(("/nov", "/bad")):
        session.judgements.tick_bad_case(parse_address(at).branch, _need(value, "a paper of the report"), reason)
    else:
        session.judgements.mark_point(parse_address(at).branch, _number(_need(value, "a review point's number")), verb, reason)


def _found(session: Session, value: str | None) -> Paper:
    """The paper that is meant. What looking it up sends is said first."""
    said = _need(value, "a DOI, arXiv id, URL or title")
    tell(session.papers.lookup_disclosure(said))
    return session.papers.find(said)


def _need(value: str | None, what: str) -> str:
    from coi_tui.model.errors import UsageError

    if not value or not value.strip():
        raise UsageError(f"This needs {what} after the verb.")
    return value


def _number(text: str) -> int:
    from coi_tui.model.errors import UsageError

    if not text.strip().isdigit():
        raise UsageError(f"{text!r} is not a number.")
    return int(text)


def _marks(session: Session) -> dict[str, str]:
    return {a: f.status for a, f in session.core.fresh.items()}


def _report(session: Session, done: str, before: dict[str, str], json_out: bool) -> None:
    """What was done, and what it made stale (or fresh again)."""
    after = _marks(session)
    moved: dict[str, list[str]] = {}
    for address, status in after.items():
        if before.get(address) != status and not (address not in before and status == "fresh"):
            moved.setdefault(status, []).append(address)
    if json_out:
        as_json({"done": done, "now": moved, "undo": session.undo_stack.labels()[0], "waiting": session.queries.waiting()})
        return
    say(f"Done: {done}.")
    words = {"stale": "Stale", "upstream": "Stale upstream", "fresh": "Fresh", "kept": "Kept", "missing": "Missing"}
    for status, addresses in sorted(moved.items()):
        say(f"{words[status]} now: {', '.join(addresses)}.")


@click.command()
@click.argument("name")
@click.argument("address")
@click.option("--file", "file", required=True, help="The new text; - reads standard input.")
@click.option("--wording-only", is_flag=True, help="The meaning is the same: what reads it stays fresh.")
@click.option("--reason", default="", help="Why; kept in the log.")
@json_option
def edit(name: str, address: str, file: str, wording_only: bool, reason: str, json_out: bool) -> None:
    """Save a text of your own in a cell; nothing replaces it afterwards. `coi show --json` gives the parts there are."""
    from coi_tui.model.errors import UsageError

    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        text = data.decode("utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text.", "Save it as UTF-8 and try again.") from None
    with opened(name) as session:
        at = session.queries.resolve(address)
        before = _marks(session)
        session.edits.save(at, text, reason=reason, wording_only=wording_only)
        _report(session, f"edit {at}", before, json_out)


@click.command()
@click.argument("name")
@click.argument("address")
@click.argument("file")
@click.option("--anyway", is_flag=True, help="Attach it although its first pages do not show the paper's title.")
@click.option("--reason", default="", help="Why; kept in the log.")
@json_option
def attach(name: str, address: str, file: str, anyway: bool, reason: str, json_out: bool) -> None:
    """Attach your own PDF (FILE) to the paper at ADDRESS; what was read of it before becomes stale. Nothing is sent.

    Its text is kept in this session and goes only into the prompt that reads this paper; a plan says so before. undo takes it back.
    """
    import asyncio

    from coi_tui.model.errors import UsageError

    with opened(name) as session:
        at = session.queries.resolve(address)
        paper = session.decisions.paper_to_attach_to(at)
        before, held = _marks(session), session.state.attached.get(paper.id)
        read = asyncio.run(session.papers.read_pdf(file))
        if (doubt := session.decisions.attach_doubt(at, read)) and not anyway:
            said = f"{read.own.file} was not attached to {at}: its first pages do not show the title “{paper.title[:80]}”."
            raise UsageError(said, "With --anyway it is.")
        done = session.decisions.attach(at, read, reason)
        if doubt:
            tell(doubt)
        if held is not None:
            tell(f"It takes the place of {held['file']}.")
        _report(session, f"attach {read.own.file} to {done.address}", before, json_out)


@click.command()
@click.argument("name")
@click.option("--decision", type=int, metavar="N", help="Take back entry N of the log instead of the last decision.")
@click.option("--scope", default="", metavar="WHERE", help="For a decision that a fork shares: both, or the branch's number.")
@json_option
def undo(name: str, decision: int | None, scope: str, json_out: bool) -> None:
    """Take back the last decision; results that were paid for stay as versions."""
    with opened(name) as session:
        before = _marks(session)
        done = session.undo_stack.undo() if decision is None else session.undo_stack.revert(decision, scope)
        _report(session, f"undo: {done}", before, json_out)


@click.command()
@click.argument("name")
@json_option
def redo(name: str, json_out: bool) -> None:
    """Bring back the decision that was undone last."""
    with opened(name) as session:
        before = _marks(session)
        _report(session, f"redo: {session.undo_stack.redo()}", before, json_out)
