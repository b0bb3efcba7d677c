"""The researcher's decisions: ``coi decide``, ``edit``, ``attach``, ``undo``, ``redo`` and
``ideas vote``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import (
    Word,
    address_argument,
    ask,
    flag,
    opened,
    reason_option,
    say,
    session_argument,
    session_to_change,
    tell,
    yes_option,
)
from coi_tui.model.address import Branch, branch_of, match_of
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.text import clean_line, joined
from coi_tui.paths import MOST_TEXT, read_file, read_stream
from coi_tui.session.files import find_version
from coi_tui.session.wording import by_commands

if TYPE_CHECKING:
    from coi_tui.session.decisions.impact import Impact
    from coi_tui.session.session import Session


def confirm_impact(changes: Impact, yes: bool, about: Sequence[str] = ()) -> None:
    """Say what a decision changes beside its own row, and ask; one that changes its row alone asks
    nothing.

    ``about``: sentences on the rows that it is about, where these are several.
    Raises ConsentNeeded where the answer is no, or where nobody can be asked.
    """
    message = [*about, *([changes.sentence()] if changes.asks else [])]
    for sentence in message:
        tell(sentence)
    if message and not yes:
        nobody = "The decision changes other rows, and this is not a terminal."
        ask("Do it?", nobody, "Nothing was changed.")


def _report(session: Session, done: str, changes: Impact, note: str = "") -> None:
    """Say what was done, what it changed and what comes next."""
    next_step = by_commands(session.next_step(), session.name)
    say(joined("\n", f"{done}.", changes.sentence(), note, next_step))


class _VerbChoice(Word):
    """The verbs of the table, which is loaded when it is needed."""

    def __init__(self) -> None:
        self.case_sensitive = True

    @cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        from coi_tui.session.decisions.verbs import VERBS

        return tuple(name.replace("_", "-") for name, v in VERBS.items() if v.on_command_line)

    def get_invalid_choice_message(self, value: str, ctx: click.Context | None) -> str:
        name, verb = (ctx.params.get(one) for one in ("name", "address")) if ctx else ("", "")
        if verb in self.choices:
            order = f"`coi decide {name} {value} {verb}`"
            return f"The address comes before the decision. Did you mean {order}?"
        return super().get_invalid_choice_message(value, ctx)


def _undecided(
    session: Session, at: str, branch: Branch, value: str
) -> tuple[list[str], list[str]]:
    """The addresses that accept-all is about, in a branch or at ``session`` in all of it; with
    "texts" or "papers" after it, these alone. Then sentences about them.

    Raises UsageError for another address, another word, or where nothing can be accepted.
    """
    from coi_tui.session.decisions.bulk_accept import in_sentence, left_out

    only = {"": None, "texts": True, "papers": False}
    if at not in ("session", str(branch)):
        raise UsageError(
            f"{at} is one row.", "Name a branch such as 1, or session; `accept` accepts one row."
        )
    if value not in only:
        raise UsageError(f"{value!r} is neither texts nor papers.", "Leave it out to accept both.")
    found = [one for one in session.undecided(branch) if only[value] in (None, one.is_text)]
    chosen, left = [one for one in found if not one.off], left_out(found)
    if not chosen:
        raise UsageError(
            f"There is nothing to accept in one go. {left}".strip(), "`accept` accepts one row."
        )
    about = [in_sentence(chosen, len(found) - len(chosen)), *([left] if left else [])]
    return [one.address for one in chosen], about


@click.command()
@session_to_change
@address_argument
@click.argument("verb", metavar="DECISION", type=_VerbChoice())
@click.argument("value", default="")
@reason_option
@yes_option
def decide(session: Session, address: str, verb: str, value: str, reason: str, yes: bool) -> None:
    """Decide about a cell: accept, reject, keep (it still holds), pin ID, use RANK-or-ID or VERSION,
    set-aside (its branch), and more.

    All decisions: accept, reject, reject-everywhere, accept-all, keep, pick, unpick, protect,
    unprotect, set-aside, take-up, tick, untick, dismiss, better, work-out, pin, reopen, fork, seen,
    link, use, note.

    coi decide NAME X reject ID leaves a paper out of the whole session.

    coi decide NAME 1 accept-all accepts what is undecided in branch 1 (session: everywhere), after
    saying how many of what; with texts or papers after it, these alone. What a list in the app
    leaves unticked is left out and named.

    A decision that empties, detaches, brings back or makes stale other rows says which, and asks
    first.

    An address with a minus needs no "--" before it: coi decide NAME 1/-1 reject.
    """
    given, paper = value.strip(), None
    named = "avoid" if verb == "reject" and address == "X" else verb.replace("-", "_")
    meant, target = session.named_verb(named, address)
    if named == "use" and not re.fullmatch(r"[vV]\d+", given):
        paper_verb, _ = session.named_verb("choose", address)
        meant = meant if paper_verb.rule(target) else paper_verb
    if meant.needs and not given:
        raise UsageError(f"This decision needs {meant.needs}.", "Add it after the verb.")
    if meant.looks_up:
        tell(session.papers.lookup_disclosure())
        paper = session.papers.find(given)
    rows, about = (
        _undecided(session, address, target.branch, given)
        if meant.name == "accept_all"
        else (None, [])
    )

    def act(to: Session) -> object:
        return to.decide(meant.name, address, rows or given, reason, paper)

    changes = session.impact(meant.about(target), act)
    confirm_impact(changes, yes, about)
    act(session)
    _report(session, f"Done: {verb} {address}", changes)


@click.command("import-comments")
@session_to_change
@click.argument("file")
def import_comments(session: Session, file: str) -> int:
    """Take in a colleague's comments as notes: FILE has one a line, such as "1/idea ¶3: too broad".

    The numbers are those of the web page (export --format html). A note that is there stays; a line
    that names nothing is refused and told.
    """
    from coi_tui.session.decisions.comments import as_note

    known, code = session.exports.paragraphs(), 0
    for number, line in enumerate(map(clean_line, _text_of(file).splitlines()), start=1):
        if not line or line.startswith("#"):
            continue
        try:
            at, note = as_note(line, Path(file).stem, session.resolve, known)
        except CoiError as error:
            tell(f"Line {number} is refused: {error}")
            code = 1
            continue
        before = session.state.notes.get(at, "")
        if note not in before.split("\n"):
            session.decide("note", at, f"{before}\n{note}".strip())
            say(f"{at}: {note}")
    return code


@click.command()
@session_argument
@address_argument
@click.option("--file", required=True, help="A file with the new text; - reads standard input.")
@click.option(
    "--part",
    default="",
    metavar="PART",
    help="The part that the file replaces, such as title; the others stay.",
)
@flag("--wording-only", help="The meaning is unchanged: cells that read it stay fresh.")
@click.option(
    "--merged-with",
    default="",
    metavar="OTHER",
    help="What else went into the text: another idea (2/idea) or a version (v2).",
)
@reason_option
def edit(
    name: str,
    address: str,
    file: str,
    part: str,
    wording_only: bool,
    merged_with: str,
    reason: str,
) -> None:
    """Save a text of your own in a cell; nothing replaces it afterwards.

    Plain text is taken as it is. Of a text with several parts it is the main one (of an idea: the
    idea itself) and the others stay;
    --part names another, and a text with headings such as "## title" says several at once. `coi
    show --json` lists the parts.
    """
    text = _text_of(file)
    if merged_with and (part or wording_only):
        raise UsageError(
            "A merged text is more than one part or another wording.",
            "Leave --part and --wording-only out.",
        )
    with opened(name) as session:
        at = session.resolve(address)
        other = _version_in(session, at, merged_with) if merged_with else None
        new = session.edits.part_alone(at, part, text) if part else text

        def save(to: Session) -> None:
            to.edits.save(at, new, reason=reason, wording_only=wording_only, other=other)

        changes = session.impact(at, save)
        save(session)
        _report(session, f"Done: edit {at}", changes, session.unread(at))


def _text_of(file: str) -> str:
    """The text of a file, or of standard input. Raises UsageError."""
    try:
        if file == "-":
            data = read_stream(sys.stdin.buffer, MOST_TEXT, "Standard input")
        else:
            data = read_file(Path(file), MOST_TEXT, pipe=True)
        return data.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text.", "Save it as UTF-8 and try again.") from None


def _version_in(session: Session, address: str, typed: str) -> int:
    """The other version that went into a text: a version of the cell, or the one in use elsewhere.
    Raises UsageError."""
    if typed.strip().casefold().removeprefix("v").isdigit():
        return find_version(session.state, address, typed)
    other = session.resolve(typed)
    version = session.state.in_use(other) if other != address else None
    if version is None:
        raise UsageError(
            f"{typed} is no other text.",
            "Name another idea, such as 2/idea, or a version, such as v2.",
        )
    return version.seq


@click.command()
@session_to_change
@address_argument
@click.argument("file")
@flag(
    "--anyway",
    help="Attach it although its first page does not show the paper's title.",
)
@reason_option
@yes_option
def attach(session: Session, address: str, file: str, anyway: bool, reason: str, yes: bool) -> None:
    """Attach your own PDF (FILE) to the paper at ADDRESS; its card becomes stale. Nothing is sent.

    The text is stored in this session and goes only into the prompt that reads this paper; the plan
    says so first. Undo reverses it.
    """
    import asyncio

    changes = session.impact(address, lambda trial: trial.decide("attach", address))
    read = asyncio.run(session.papers.read_pdf(file))
    if (doubt := session.papers.attach_doubt(address, read)) and not anyway:
        raise UsageError(
            f"{read.own.file} was not attached to {address}: its first page does not show the title of the paper.",
            "Use --anyway to attach it.",
        )
    confirm_impact(changes, yes)
    done = session.decide("attach", address, read.own, reason)
    _report(session, f"Done: attach to {done.address}: {read.own.named}", changes, doubt)


@click.command()
@session_to_change
@click.option(
    "--decision",
    type=int,
    metavar="N",
    help="Undo entry N of the log instead of the last decision.",
)
def undo(session: Session, decision: int | None) -> None:
    """Undo the last decision; results that were paid for stay as versions."""

    def back(to: Session) -> str:
        return to.undo() if decision is None else to.revert(decision)

    _step(session, back, "Undone")


@click.command()
@session_to_change
def redo(session: Session) -> None:
    """Redo the decision that was undone last."""
    _step(session, lambda to: to.redo(), "Redone")


def _step(session: Session, act: Callable[[Session], str], done: str) -> None:
    """One task back or forth in the decisions."""
    changes = session.impact("", act)
    _report(session, f"{done}: {act(session)}", changes)


@click.command()
@session_to_change
@click.argument("first")
@click.argument("second")
@click.argument("winner")
@click.option(
    "--criterion",
    "wanted",
    multiple=True,
    metavar="NAME",
    help="Only on this criterion; may be repeated (default: all five).",
)
@reason_option
def vote(
    session: Session, first: str, second: str, winner: str, wanted: tuple[str, ...], reason: str
) -> None:
    """Vote between two ideas: coi ideas vote NAME 1/idea 2/idea 1/idea. WINNER is one of the two, tie, or
    none, which takes the vote back."""
    from coi_tui.arena.ratings import CRITERIA

    one, two = (branch_of(session.resolve(text)) for text in (first, second))
    if one == two:
        raise UsageError(f"Both are {first}.", "Name two ideas, such as 1/idea 2/idea.")
    other: dict[str, Branch | None] = {"tie": 0, "none": None}
    word = winner.strip().casefold()
    chosen = other[word] if word in other else branch_of(session.resolve(winner))
    match, criteria = match_of(one, two), wanted or CRITERIA
    session.decide("vote", match, {"criteria": criteria, "winner": chosen}, reason=reason)
    say(f"Voted in {match}: {winner} ({', '.join(criteria)}).")
