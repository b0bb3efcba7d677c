"""The researcher's decisions: ``coi decide``, ``edit``, ``attach``, ``undo`` and ``redo``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import (
    address_argument,
    as_json,
    ask,
    json_option,
    opened,
    say,
    session_argument,
    tell,
)

if TYPE_CHECKING:
    from coi_tui.model.address import Branch
    from coi_tui.model.papers import Paper
    from coi_tui.session.decisions.acceptable import Undecided
    from coi_tui.session.decisions.consequences import Consequences
    from coi_tui.session.session import Session

yes_option = click.option(
    "--yes", "yes", is_flag=True, help="Do not ask where several rows change; say which on stderr."
)
reason_option = click.option("--reason", default="", help="Why; recorded in the log.")


def confirm_impact(changes: Consequences, yes: bool, about: Sequence[str] = ()) -> None:
    """Say what a decision changes beside its own row, and ask; one that changes its row alone asks
    nothing.

    ``about``: sentences on the rows that it is about, where these are several.
    Raises ConsentNeeded where the answer is no, or where nobody can be asked.
    """
    from coi_tui.model.errors import ConsentNeeded

    said = [*about, *([changes.sentence()] if changes.asks else [])]
    for sentence in said:
        tell(sentence)
    if yes or not said:
        return
    nobody = ConsentNeeded(
        "The decision changes other rows, and this is not a terminal.",
        "Pass --yes, or run it in a terminal.",
    )
    ask("Do it?", nobody=nobody, no=ConsentNeeded("Nothing was changed."))


@dataclass(frozen=True)
class _Request:
    """What was typed after ``coi decide NAME``, with the address resolved."""

    at: str
    verb: str
    value: str | None
    reason: str
    everywhere: bool
    paper: Paper | None = None
    """The paper that is meant, where the verb is about one that was looked up."""

    @property
    def branch(self) -> Branch:
        from coi_tui.model.address import parse_address

        return parse_address(self.at).branch

    @property
    def own(self) -> str:
        """The row that is decided about: a branch is parked as a whole."""
        return str(self.branch) if self.verb in ("park", "unpark") else self.at

    def need(self, what: str) -> str:
        return _need(self.value, what)

    @property
    def looks_up(self) -> bool:
        """Whether it is about a paper that is looked up first."""
        return self.verb == "pin" or (self.verb == "reject" and self.at == "X")

    @property
    def found(self) -> Paper:
        assert self.paper is not None
        return self.paper


def _reject(session: Session, asked: _Request) -> None:
    if asked.at == "X":
        session.decisions.avoid(asked.found, asked.reason)
    else:
        session.decisions.reject(asked.at, asked.reason, everywhere=asked.everywhere)


def _adopt(session: Session, asked: _Request) -> None:
    from coi_tui.session.names import find_version

    session.decisions.adopt(
        asked.at,
        find_version(session.state, asked.at, asked.need("a version such as v2")),
        asked.reason,
    )


def _tick(session: Session, asked: _Request) -> None:
    if asked.at.endswith(("/nov", "/bad")):
        session.judgements.tick_bad_case(
            asked.branch, asked.need("a paper of the report"), asked.reason
        )
    else:
        _mark_point(session, asked)


def _mark_point(session: Session, asked: _Request) -> None:
    number = _number(asked.need("the number of a review point"))
    session.judgements.mark_point(asked.branch, number, asked.verb, asked.reason)


ALL = "accept-all"


def _accept_all(session: Session, asked: _Request) -> None:
    session.decisions.accept_all(
        [one.address for one in _listed(session, asked) if not one.off], asked.reason
    )


def _listed(session: Session, asked: _Request) -> Sequence[Undecided]:
    """What accept-all is about: in a branch, or at ``session`` in all of it; with "texts" or
    "papers" after it, these alone.

    Raises UsageError for another address, another word, or where nothing can be accepted.
    """
    from coi_tui.model.errors import UsageError
    from coi_tui.session.decisions.acceptable import left_out

    only = {None: None, "texts": True, "papers": False}
    if asked.at not in ("session", str(asked.branch)):
        raise UsageError(
            f"{asked.at} is one row.",
            "Name a branch such as 1, or session; `accept` accepts one row.",
        )
    if asked.value not in only:
        raise UsageError(
            f"{asked.value!r} is neither texts nor papers.", "Leave it out to accept both."
        )
    found = [
        one
        for one in session.queries.undecided(asked.branch)
        if only[asked.value] in (None, one.is_text)
    ]
    if all(one.off for one in found):
        raise UsageError(
            f"There is nothing to accept in one go. {left_out(found)}".strip(),
            "`accept` accepts one row.",
        )
    return found


def _told_of_all(found: Sequence[Undecided]) -> list[str]:
    """How many of what will be accepted, and which are left out and why."""
    from coi_tui.session.decisions.acceptable import left_out, told

    left = left_out(found)
    return [
        told([one for one in found if not one.off], sum(bool(one.off) for one in found)),
        *([left] if left else []),
    ]


VERBS: dict[str, Callable[[Session, _Request], object]] = {
    "accept": lambda s, asked: s.decisions.accept(asked.at, asked.reason),
    ALL: _accept_all,
    "reject": _reject,
    "keep": lambda s, asked: s.decisions.keep(asked.at, asked.reason),
    "pin": lambda s, asked: s.decisions.pin(asked.at, asked.found, asked.reason),
    "choose": lambda s, asked: s.decisions.choose(
        asked.at, asked.need("a rank, an id or part of a title"), asked.reason
    ),
    "pick": lambda s, asked: s.decisions.pick(asked.at, asked.reason),
    "adopt": _adopt,
    "park": lambda s, asked: s.decisions.park(asked.branch, asked.reason),
    "unpark": lambda s, asked: s.decisions.unpark(asked.branch, asked.reason),
    "protect": lambda s, asked: s.decisions.protect(asked.at, True),
    "unprotect": lambda s, asked: s.decisions.protect(asked.at, False),
    "tick": _tick,
    "dismiss": _mark_point,
    "reopen": lambda s, asked: s.decisions.reopen(asked.need("the id of a paper"), asked.branch),
    "note": lambda s, asked: s.decisions.note(asked.at, asked.need("the text of the note")),
    "fork": lambda s, asked: s.decisions.fork(asked.at),
}


@click.command()
@session_argument
@address_argument()
@click.argument("verb", type=click.Choice(tuple(VERBS)))
@click.argument("value", required=False)
@reason_option
@click.option(
    "--everywhere",
    is_flag=True,
    help="With reject: never propose this paper again in this session.",
)
@yes_option
@json_option
def decide(
    name: str,
    address: str,
    verb: str,
    value: str | None,
    reason: str,
    everywhere: bool,
    yes: bool,
    json_out: bool,
) -> None:
    """Decide about a cell: accept, reject, keep (it still holds), pin ID, choose RANK-or-ID, park
    (set its branch aside), and more.

    coi decide NAME X reject ID leaves a paper out of the whole session.

    coi decide NAME 1 accept-all accepts what is undecided in branch 1 (session: everywhere), after
    saying how many of what; with texts or papers after it, these alone. What a list in the app
    leaves unticked is left out and named.

    A decision that empties, detaches, brings back or makes stale other rows says which, and asks
    first.

    An address with a minus needs no "--" before it: coi decide NAME 1/-1 reject.
    """
    with opened(name) as session:
        at = session.queries.resolve(address)
        asked = _Request(at, verb, value, reason, everywhere)
        if asked.looks_up:
            asked = replace(asked, paper=_found(session, asked))
        all_of = _told_of_all(_listed(session, asked)) if verb == ALL else []
        changes = session.consequences(asked.own, lambda trial: VERBS[verb](trial, asked))
        confirm_impact(changes, yes, all_of)
        VERBS[verb](session, asked)
        _report(session, f"{verb} {at}", changes, json_out)


def _found(session: Session, asked: _Request) -> Paper:
    """The paper that is meant. What looking it up sends is said first."""
    said = asked.need("a DOI, arXiv id, URL or title")
    tell(session.papers.lookup_disclosure())
    return session.papers.find(said)


def _need(value: str | None, what: str) -> str:
    from coi_tui.model.errors import UsageError

    if not value or not value.strip():
        raise UsageError(f"This decision needs {what}.", "Add it after the address.")
    return value


def _number(text: str) -> int:
    from coi_tui.model.errors import UsageError

    if not text.strip().isdigit():
        raise UsageError(f"{text!r} is not a whole number.", "Write one, such as 3.")
    return int(text)


def _report(
    session: Session,
    done: str,
    changes: Consequences,
    json_out: bool,
    said: str = "",
    unread: str = "",
) -> None:
    """Say what was done, and what it changed. ``unread``: that nothing reads the text that was
    saved."""
    from coi_tui.session.queries.next_step import as_data as step_data
    from coi_tui.session.wording import by_commands, counts

    step = session.queries.next_step()
    if json_out:
        as_json(
            {
                "done": done,
                "now": {name: rows for name, rows in asdict(changes).items() if rows},
                "undo": session.undo_stack.labels()[0],
                "waiting": counts(step.needs),
                "note": unread,
                "next": step_data(step),
            }
        )
        return
    say(f"{said or f'Done: {done}'}.")
    say(changes.sentence())
    if unread:
        say(unread)
    say(by_commands(step, session.name))


@click.command()
@session_argument
@address_argument()
@click.option(
    "--file", "file", required=True, help="A file with the new text; - reads standard input."
)
@click.option(
    "--part",
    default="",
    metavar="PART",
    help="The part that the file replaces, such as title; the others stay.",
)
@click.option(
    "--wording-only", is_flag=True, help="The meaning is unchanged: cells that read it stay fresh."
)
@click.option(
    "--merged-with",
    default="",
    metavar="OTHER",
    help="What else went into the text: another idea (2/idea) or a version (v2).",
)
@reason_option
@json_option
def edit(
    name: str,
    address: str,
    file: str,
    part: str,
    wording_only: bool,
    merged_with: str,
    reason: str,
    json_out: bool,
) -> None:
    """Save a text of your own in a cell; nothing replaces it afterwards.

    Plain text is taken as it is. Of a text with several parts it is the main one (of an idea: the
    idea itself) and the others stay;
    --part names another, and a text with headings such as "## title" says several at once. `coi
    show --json` lists the parts.
    """
    from coi_tui.model.errors import UsageError

    text = _text_of(file)
    if merged_with and part:
        raise UsageError("A merged text is more than one part.", "Leave --part out.")
    if merged_with and wording_only:
        raise UsageError("A merged text is more than another wording.", "Leave --wording-only out.")
    with opened(name) as session:
        at = session.queries.resolve(address)
        other = _version_in(session, at, merged_with) if merged_with else None
        said = session.edits.part_alone(at, part, text) if part else text

        def save(to: Session) -> None:
            if other is not None:
                to.edits.merge(at, said, other, reason=reason)
            else:
                to.edits.save(at, said, reason=reason, wording_only=wording_only)

        changes = session.consequences(at, save)
        save(session)
        _report(session, f"edit {at}", changes, json_out, unread=session.queries.unread(at))


def _text_of(file: str) -> str:
    """The text of a file, or of standard input. Raises UsageError."""
    from coi_tui.model.errors import UsageError
    from coi_tui.outside_files import MOST_TEXT, read_file, read_stream

    try:
        data = (
            read_stream(sys.stdin.buffer, MOST_TEXT, "Standard input")
            if file == "-"
            else read_file(Path(file), MOST_TEXT, pipe=True)
        )
        return data.decode("utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text.", "Save it as UTF-8 and try again.") from None


def _version_in(session: Session, address: str, said: str) -> int:
    """The other version that went into a text: a version of the cell, or the one in use elsewhere.
    Raises UsageError."""
    from coi_tui.model.errors import UsageError
    from coi_tui.session.names import find_version

    if said.strip().casefold().removeprefix("v").isdigit():
        return find_version(session.state, address, said)
    other = session.queries.resolve(said)
    if other == address:
        raise UsageError(
            f"{address} cannot be merged with itself.",
            "Name another idea, such as 2/idea, or a version, such as v2.",
        )
    version = session.state.in_use(other)
    if version is None:
        raise UsageError(
            f"There is no text at {said}.",
            "Name another idea, such as 2/idea, or a version, such as v2.",
        )
    return version.seq


@click.command()
@session_argument
@address_argument()
@click.argument("file")
@click.option(
    "--anyway",
    is_flag=True,
    help="Attach it although its first page does not show the paper's title.",
)
@reason_option
@yes_option
@json_option
def attach(
    name: str, address: str, file: str, anyway: bool, reason: str, yes: bool, json_out: bool
) -> None:
    """Attach your own PDF (FILE) to the paper at ADDRESS; its card becomes stale. Nothing is sent.

    The text is stored in this session and goes only into the prompt that reads this paper; the plan
    says so first. Undo reverses it.
    """
    import asyncio

    from coi_tui.model.errors import UsageError

    with opened(name) as session:
        at = session.queries.resolve(address)
        paper = session.decisions.paper_to_attach_to(at)
        held = session.state.attached.get(paper.id)
        read = asyncio.run(session.papers.read_pdf(file))
        if (doubt := session.decisions.attach_doubt(at, read)) and not anyway:
            said = f"{read.own.file} was not attached to {at}: its first page does not show the title “{paper.title[:80]}”."
            raise UsageError(said, "Use --anyway to attach it.")
        changes = session.consequences(at, lambda trial: trial.decisions.attach_any(at))
        confirm_impact(changes, yes)
        done = session.decisions.attach(at, read, reason)
        if doubt:
            tell(doubt)
        if held is not None:
            tell(f"It replaces {held['file']}.")
        _report(session, f"attach {read.own.file} to {done.address}", changes, json_out)


@click.command()
@session_argument
@click.option(
    "--decision",
    type=int,
    metavar="N",
    help="Undo entry N of the log instead of the last decision.",
)
@click.option(
    "--scope",
    default="",
    metavar="WHERE",
    help="For a decision shared by a fork: both, or the number of the branch.",
)
@json_option
def undo(name: str, decision: int | None, scope: str, json_out: bool) -> None:
    """Undo the last decision; results that were paid for stay as versions."""
    from coi_tui.model.errors import UsageError

    if scope and decision is None:
        raise UsageError(
            "--scope applies to a single decision of the log.", "Name it with --decision N."
        )

    def take_back(to: Session) -> str:
        if decision is None:
            return to.undo_stack.undo()
        return to.undo_stack.revert(decision, scope)

    with opened(name) as session:
        changes = session.consequences("", take_back)
        done = take_back(session)
        _report(session, f"undo: {done}", changes, json_out, f"Undone: {done}")


@click.command()
@session_argument
@json_option
def redo(name: str, json_out: bool) -> None:
    """Redo the decision that was undone last."""
    with opened(name) as session:
        changes = session.consequences("", lambda trial: trial.undo_stack.redo())
        done = session.undo_stack.redo()
        _report(session, f"redo: {done}", changes, json_out, f"Redone: {done}")
