"""A second reader: ``coi review-pack`` makes the file that they are sent, ``coi merge`` joins what they
decided in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import a_path, opened, say, session_to_read, tell
from coi_tui.model.text import count

if TYPE_CHECKING:
    from coi_tui.session.session import Session


@click.command("review-pack")
@session_to_read
@click.option(
    "--reader", default="colleague", show_default=True, metavar="NAME", help="Who will decide."
)
@click.option("-o", "--out", metavar="F", help="The file; else NAME-READER.coi.db here.")
def review_pack(session: Session, reader: str, out: str | None) -> None:
    """Write a file in which a second reader decides and votes, blind to your decisions: papers and
    texts in use, no notes, no decisions, no ratings."""
    from coi_tui.session.files import ENDING, slug
    from coi_tui.session.second_reader import write_review

    path = Path(out or f"{session.name}-{slug(reader)}{ENDING}").expanduser()
    write_review(session, reader, path)
    say(str(path))
    tell(f"{reader} opens it by `coi --session ./{path.name}` and sends it back closed.")
    tell(f"`coi merge {path.name}` joins it then.")


@click.command()
@click.argument("file", type=a_path)
@click.argument("name", required=False)
def merge(file: Path, name: str | None) -> None:
    """Join what a second reader decided in FILE, beside your own decisions; say how often you agree,
    and where not. NAME: the session, where it is called otherwise now."""
    from coi_tui.session.second_reader import load_review, merge, reports

    review, loaded = load_review(file.expanduser())
    with opened(name or review.session) as session:
        new = merge(session, review, loaded)
        added = count(new, "new decision")
        tell(f"{added} of {review.reader} in {session.name}; what you decided stays in use.")
        lines, conflicts = reports(session)
        say("\n".join(lines))
        for reader, (kind, address, of), yours, theirs in conflicts:
            say(f"  {address} ({of or kind})\n    you: {yours}\n    {reader}: {theirs}")
