"""Whether the tables, indexes and triggers of a session file are those that coi-tui makes, compared word by word.

A file may come from anybody. A view that never ends, a trigger that rewrites what is added, a missing trigger that would have kept a table
append-only: all of it stands in the file's own schema, so nothing else is read before this has been compared.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

from coi_tui.store.connection import pragma_number
from coi_tui.store.migrations import SESSION_FORMAT, SESSION_STEPS

if TYPE_CHECKING:
    from sqlite_utils import Database

Objects = dict[tuple[str, str], tuple[str, str]]
"""Kind and name of each object, with its table and the words that made it."""

_NOTES = "_sqlite_migrations"
_NOTE_WORDS = frozenset(
    {
        "create",
        "table",
        "unique",
        "index",
        "on",
        "integer",
        "text",
        "primary",
        "key",
        "id",
        "migration_set",
        "name",
        "applied_at",
        _NOTES,
        f"idx_{_NOTES}_migration_set_name",
    }
)


@dataclass(frozen=True)
class SchemaFaults:
    """What of a schema is not as it was made, as parts of a sentence. ``unreadable``: it would not be safe to read the file."""

    unreadable: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.unreadable, *self.others)


def schema_faults(connection: sqlite3.Connection) -> SchemaFaults:
    """Compare the schema of a session file with that of its format. Of a newer format only that its tables are tables."""
    number = pragma_number(connection, "user_version")
    found = _objects(connection)
    wanted = _expected(min(number, SESSION_FORMAT))
    if number > SESSION_FORMAT:
        return SchemaFaults(
            tuple(
                f"{name} is no table"
                for kind, name in wanted
                if kind == "table" and not _is_table(found, name)
            )
        )
    return SchemaFaults(
        (*_unlike(found, wanted, of_tables=True), *_in_the_place_of_tables(found, wanted)),
        (*_unlike(found, wanted, of_tables=False), *_foreign(found, wanted)),
    )


def _unlike(found: Objects, wanted: Objects, *, of_tables: bool) -> Iterator[str]:
    """What of ours is missing or was made otherwise."""
    for (kind, name), made in wanted.items():
        there = found.get((kind, name))
        if (kind == "table") == of_tables and there != made:
            yield f"the {kind} {name} {'is missing' if there is None else 'is not as coi-tui makes it'}"


def _in_the_place_of_tables(found: Objects, wanted: Objects) -> Iterator[str]:
    return (
        f"the {kind} {name} stands in the place of a table"
        for kind, name in found
        if _reads_as_another(kind, name, wanted)
    )


def _foreign(found: Objects, wanted: Objects) -> Iterator[str]:
    for (kind, name), (_, sql) in found.items():
        if (
            (kind, name) not in wanted
            and not _reads_as_another(kind, name, wanted)
            and not _is_housekeeping(name, sql)
        ):
            yield f"the {kind} {name} was not made by coi-tui"


def _objects(connection: sqlite3.Connection) -> Objects:
    sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
    return {
        (str(kind), str(name)): (str(table), str(text))
        for kind, name, table, text in connection.execute(sql)
    }


@cache
def _expected(number: int) -> Objects:
    """The schema of a format, from the steps that make it."""
    with closing(sqlite3.connect(":memory:")) as empty:
        for step in list(SESSION_STEPS.values())[:number]:
            step(cast("Database", empty))
        return _objects(empty)


def _is_table(found: Objects, name: str) -> bool:
    return ("table", name) in found and found["table", name][1].startswith("CREATE TABLE ")


def _reads_as_another(kind: str, name: str, wanted: Objects) -> bool:
    """Whether a name would be read where one of our tables, or the list of migrations, is meant."""
    if kind not in ("table", "view") or ("table", name) in wanted:
        return False
    return ("table", name.lower()) in wanted or (kind == "view" and name.lower() == _NOTES)


def _is_housekeeping(name: str, sql: str) -> bool:
    """Statistics of SQLite, and the list of migrations that sqlite_utils keeps, in the words of any of its versions."""
    if name.startswith("sqlite_stat") or (name.startswith("sqlite_autoindex_") and not sql):
        return True
    return name in (_NOTES, f"idx_{_NOTES}_migration_set_name") and _note_words(sql) <= _NOTE_WORDS


def _note_words(sql: str) -> set[str]:
    return set(re.findall(r"\w+", sql.lower()))
