"""``python scripts/reference.py [--check]``: the pages of ``docs/reference``, written from
commands, keys, settings and tables, and the list of decision records."""

from __future__ import annotations

import argparse
import inspect
import re
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from coi_tui.cli import cli  # noqa: E402  the folder above is not installed
from coi_tui.cli.keys import tables  # noqa: E402
from coi_tui.methods.registry import components_of  # noqa: E402
from coi_tui.model.entries import Decision, Version  # noqa: E402
from coi_tui.model.fold import FOLDS  # noqa: E402
from coi_tui.store.schema import SESSION_FORMAT, SESSION_ID, make_tables  # noqa: E402

PLACE = ROOT / "docs" / "reference"
DECISIONS = ROOT / "docs" / "decisions"
MADE = "Written by `python scripts/reference.py`; change the code, not this page."

TABLES = {
    "meta": "Facts about the session, such as its id, its name and the time it was made.",
    "log": "Every decision and every version, as JSON, numbered without gaps.",
    "calls": "Every finished call of a model or a service: its key, what was asked, and the reply as it came.",
    "failures": "Calls and tasks that failed, each with its cause.",
    "job_events": "What the jobs told while they ran.",
    "chain": "For each row that was written, replaced or dropped, its table and key, and the hash of the line before with what the row holds now.",
    "papers": "The papers that the session knows.",
    "drafts": "Texts that were being written and not yet saved.",
    "ui": "Where the person was: row, folds, panes.",
}
"""What each table of a session file is for."""


def commands_page() -> str:
    """Every command with its arguments and options, as ``--help`` has them."""
    parts = [
        "# Commands",
        MADE,
        "Texts go to standard output, progress to standard error. Exit codes: 0 done, 1 failed with one sentence, 2 usage, 3 stopped for "
        "consent or budget, 130 interrupted.",
        *_command("coi", cli),
    ]
    for name in sorted(cli.list_commands(context := click.Context(cli))):
        command = cli.get_command(context, name)
        assert command is not None
        parts += _command(f"coi {name}", command)
        if isinstance(command, click.Group):
            for inner, one in sorted(command.commands.items()):
                parts += _command(f"coi {name} {inner}", one)
    return "\n\n".join(parts) + "\n"


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    yield f"## {name}"
    yield f"`{' '.join((name, *command.collect_usage_pieces(context)))}`"
    yield inspect.cleandoc(command.help or "")
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    records = [
        record for option in options if (record := option.get_help_record(context)) is not None
    ]
    if records:
        yield _table(
            ("option", "what it does"), ((f"`{option}`", said) for option, said in records)
        )


def keys_page() -> str:
    """Every key by the screen on which it works."""
    parts = ["# Keys", MADE, "An action without a key is in the list of commands (`:`)."]
    for place, actions in sorted(tables().items()):
        rows = ((f"`{_plain(action.show)}`", action.label, action.help) for action in actions)
        parts += [f"## {place}", _table(("key", "name", "what it does"), rows)]
    return "\n\n".join(parts) + "\n"


def settings_page() -> str:
    """Every setting with the values that it takes, its default and what it is for."""
    from coi_tui.paths import paths
    from coi_tui.session.settings import settings_now

    nowhere = {"COI_HOME": str(ROOT / "no-such-folder")}
    found = settings_now(paths(nowhere).config_file, {})
    rows = ((f"`{s.key}`", s.takes, f"`{s.shown}`", s.help) for s in found)
    return (
        "\n\n".join(
            [
                "# Settings",
                MADE,
                "`coi config set KEY VALUE` sets one, `coi config list` shows where each comes from. API keys are no settings: they come from the "
                "environment or the system's keyring.",
                _table(("setting", "takes", "default", "what it is for"), rows),
            ]
        )
        + "\n"
    )


def session_file_page() -> str:
    """The tables of a session file, and what an entry of its log holds."""
    parts = [
        "# The session file",
        MADE,
        f"A session is one SQLite file, `NAME.coi.db`, of format {SESSION_FORMAT} (`PRAGMA user_version`), and application id "
        f"`0x{SESSION_ID:08x}`. A newer format is not opened. Rows of `log`, `calls`, `failures`, `job_events` and `chain` are "
        "added and never changed: triggers refuse it. The table `chain` is a hash chain over all rows, so that `coi verify` finds a change.",
        "## Tables",
    ]
    with closing(sqlite3.connect(":memory:")) as empty:
        make_tables(empty)
        for (name,) in empty.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall():
            columns = ", ".join(
                f"`{column[1]}` {column[2]}"
                for column in empty.execute(f"PRAGMA table_info({name})")
            )
            parts.append(f"**{name}** ({columns}). {TABLES[name]}")
    own = (action for component in components_of("", ()) for action in component.folds)
    actions = ", ".join(f"`{action}`" for action in dict.fromkeys((*FOLDS, *own)))
    parts += [
        "## Entries of the log",
        f"An entry is a decision or a version. Decisions: {actions}.",
    ]
    for kind in (Decision, Version):
        rows = (
            (f"`{field.serialization_alias or name}`", _plain(_type_of(field.annotation)))
            for name, field in kind.model_fields.items()
        )
        parts += [
            f"### {kind.__name__}",
            inspect.cleandoc(kind.__doc__ or "").replace("``", "`"),
            _table(("field", "type"), rows),
        ]
    return "\n\n".join(parts) + "\n"


def _type_of(kind: object) -> str:
    return (
        (kind.__name__ if isinstance(kind, type) else str(kind))
        .replace("typing.", "")
        .replace("collections.abc.", "")
        .replace("NoneType", "None")
    )


def _plain(text: str) -> str:
    return text.replace("`", "´")


def _table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = (heads, ("---",) * len(heads), *rows)
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


RECORD = re.compile(r"# (\d+)\. (.+)\n\n\*\*Status:\*\* ((?:in force|superseded by \[)[^\n]*\.)\n")
"""How a decision record begins: number, title, and whether it still holds."""


def decisions_page() -> str:
    """The decision records with what each says of itself. Raises ValueError for one that does not
    say whether it is in force."""
    lines = []
    for file in sorted(DECISIONS.glob("[0-9]*.md")):
        begins = RECORD.match(file.read_text(encoding="utf-8"))
        if begins is None or int(begins[1]) != int(file.name[:4]):
            raise ValueError(f"{file.name} does not begin with its number, title and **Status:**")
        lines.append(f"* [{begins[1]}. {begins[2]}]({file.name}): {begins[3]}")
    about = (
        "Records say what was decided, why, and what was measured at the time. The status of each says whether it still holds; "
        "figures and names of files are those of its day. A new record begins with `# NUMBER. Title` and `**Status:** in force.`; "
        "who changes what an older one says changes its status in the same commit. Written by `python scripts/reference.py`."
    )
    return "\n\n".join(["# Decisions", about, "\n".join(lines)]) + "\n"


PAGES = {
    "../decisions/README.md": decisions_page,
    "commands.md": commands_page,
    "keys.md": keys_page,
    "settings.md": settings_page,
    "session-file.md": session_file_page,
}


def pages() -> Mapping[str, str]:
    """Each page by its file name."""
    return {name: page() for name, page in PAGES.items()}


def outdated() -> list[str]:
    """The pages that do not say what the code says."""
    return [
        name
        for name, text in pages().items()
        if not (PLACE / name).is_file() or (PLACE / name).read_text(encoding="utf-8") != text
    ]


def main() -> int:
    """Write the pages; with ``--check`` only say which are out of date, and exit with 1 where one
    is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    if parser.parse_args().check:
        found = outdated()
        print(
            "\n".join(
                f"docs/reference/{name} is out of date: run python scripts/reference.py"
                for name in found
            )
            or "up to date"
        )
        return 1 if found else 0
    PLACE.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (PLACE / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
