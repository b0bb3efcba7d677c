"""What a command's decision changes beside its own row: said before it is made, and asked about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import ask, tell

if TYPE_CHECKING:
    from coi_tui.session.decisions.consequences import Consequences

yes_option = click.option(
    "--yes", "yes", is_flag=True, help="Do not ask where several rows change; say which on stderr."
)


def foretell(changes: Consequences, yes: bool, about: Sequence[str] = ()) -> None:
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
