"""Names of sessions, addresses and keys of settings as arguments, with their completion in the
shell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = TypeVar("Command", bound=Callable[..., Any])


def _items(found: Sequence[tuple[str, str]], begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(value, help=said) for value, said in found if value.startswith(begun)]


def complete_session(
    _ctx: click.Context, _param: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Names of sessions, each with its topic."""
    from coi_tui.paths import paths
    from coi_tui.store.summary import list_sessions

    return _items([(found.name, found.topic) for found in list_sessions(paths().sessions)], begun)


def complete_address(
    ctx: click.Context, _param: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Addresses of the session that was named before, each with its title; none where that session
    cannot be read."""
    from coi_tui.cli.output import settings
    from coi_tui.model.errors import CoiError
    from coi_tui.session.session import Session

    found, config, keys = settings()
    try:
        with Session.open(
            str(ctx.params.get("name") or ""),
            paths=found,
            settings=config,
            keys=keys,
            read_only=True,
        ) as session:
            rows = [(row.address, row.title) for row in session.queries.rows()]
    # there is nobody to tell: what is printed here would end up in the command line that is being
    # typed
    except CoiError:
        return []
    return _items(rows, begun)


def complete_setting(
    _ctx: click.Context, _param: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Keys of settings, each with the values that it takes and what it is for."""
    from coi_tui.paths import paths
    from coi_tui.session.admin.configuration import settings_now

    return _items(
        [(s.key, "; ".join(filter(None, (s.takes, s.help)))) for s in settings_now(paths())], begun
    )


def session_argument(command: Command) -> Command:
    """The name of a session, or a beginning of it that fits no other."""
    return click.argument("name", shell_complete=complete_session)(command)


def address_argument(
    name: str = "address", *, required: bool = True
) -> Callable[[Command], Command]:
    """An address of the session, such as ``1/idea``."""
    return click.argument(name, required=required, shell_complete=complete_address)


def setting_argument(command: Command) -> Command:
    """The dotted key of a setting."""
    return click.argument("key", shell_complete=complete_setting)(command)
