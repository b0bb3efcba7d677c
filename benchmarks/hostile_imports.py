"""Files that were made to do harm, each imported, listed, opened and verified: ``python -m
benchmarks.hostile_imports``.

Each case changes a sound session file as somebody could who wants to hang the program, to change
what another person wrote, or to write to their terminal. Each is handled in a process of its own
that is ended after some seconds. An import may be *refused*, or give a
*clean* copy: sound, with the tables and triggers of the program and the content of the original.
The file itself lies in the folder of
sessions: the list must show the others and this one, and it may be *refused*, *only read* or
*written* where nothing of it acts. Exit code 1 for any harm.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.damage import NAME, content, make
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths
from coi_tui.screens.home import columns, facts
from coi_tui.session.files import archive_session, import_session
from coi_tui.store.chain import put_row
from coi_tui.store.schema import schema_faults
from coi_tui.store.session_file import SessionFile
from coi_tui.store.summary import list_sessions
from coi_tui.widgets.panes import table_lines

Harm = Callable[[Path], object]
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"
MOST_S = 15.0


def _sql(*statements: str) -> Harm:
    """The file with these statements carried out, where SQLite knows what they use."""

    def change(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as raw:
            for statement in statements:
                raw.executescript(statement)
            raw.commit()

    return change


def _view(table: str, columns: str) -> Harm:
    """An endless view in the place of a table."""
    values = ", ".join(f"CAST(x AS TEXT) AS {column}" for column in columns.split(", "))
    return _sql(f"DROP TABLE {table}", f"CREATE VIEW {table} AS {ENDLESS} {values} FROM n")


def _meta(key: str, value: str) -> Harm:
    """What the file says of itself, with the hashes put right: whoever writes such a file can do
    that."""

    def change(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as raw:
            put_row(raw, "meta", key, value)
            raw.commit()

    return change


def _schema(sql: str) -> Harm:
    """The schema itself written over."""
    return _sql(f"PRAGMA writable_schema = ON; {sql}; PRAGMA writable_schema = OFF")


def _no_triggers(path: Path, *, like: str = "%") -> None:
    with contextlib.closing(sqlite3.connect(path)) as raw:
        for (name,) in raw.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE ?", [like]
        ).fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.commit()


def _without_triggers(*statements: str) -> Harm:
    """Rows changed, with the triggers put back so that they look untouched."""

    def change(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as raw:
            made = raw.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            _no_triggers(path)
            for statement in (*statements, *(sql for (sql,) in made)):
                raw.execute(statement)
            raw.commit()

    return change


def _in_its_place(make_it: Callable[[Path], object]) -> Harm:
    def change(path: Path) -> None:
        path.unlink()
        make_it(path)

    return change


def _beside(end: str, data: bytes) -> Harm:
    return lambda path: path.with_name(path.name + end).write_bytes(data)


def _foreign(path: Path) -> None:
    _sql("CREATE TABLE x (y); INSERT INTO x VALUES (1)")(path)


DEEP = "[" * 100_000
CASES: tuple[tuple[str, Harm], ...] = (
    ("endless view as meta", _view("meta", "key, value")),
    ("endless view as log", _view("log", "seq, json")),
    ("endless view as calls", _view("calls", "id, key, json, reply")),
    ("endless view as papers", _view("papers", "id, json")),
    ("endless view as chain", _view("chain", "n, name, key, hash")),
    ("endless view as drafts", _view("drafts", "address, text, base, inputs")),
    ("endless view as ui", _view("ui", "key, value")),
    ("endless view under another name", _sql(f"CREATE VIEW more AS {ENDLESS} x FROM n")),
    (
        "endless view, called a newer format",
        _sql(
            "DROP TABLE log",
            f"CREATE VIEW log AS {ENDLESS} x AS seq, 'a' AS json FROM n",
            "PRAGMA user_version = 99",
        ),
    ),
    (
        "trigger rewrites the topic",
        _sql("CREATE TRIGGER t AFTER INSERT ON log BEGIN UPDATE meta SET value = 'x'; END"),
    ),
    (
        "trigger rewrites at opening",
        _sql("CREATE TRIGGER t AFTER INSERT ON chain BEGIN UPDATE meta SET value = 'x'; END"),
    ),
    (
        "trigger eats drafts",
        _sql("CREATE TRIGGER t AFTER INSERT ON drafts BEGIN DELETE FROM drafts; END"),
    ),
    (
        "trigger never ends",
        _sql(
            f"CREATE TRIGGER t AFTER INSERT ON meta BEGIN INSERT INTO ui {ENDLESS} x, x FROM n; END"
        ),
    ),
    (
        "trigger on a view",
        _sql(
            "CREATE VIEW v AS SELECT 1 AS a",
            "CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN DELETE FROM ui; END",
        ),
    ),
    ("one trigger missing", lambda path: _no_triggers(path, like="log_no_update")),
    ("all triggers missing", _no_triggers),
    (
        "trigger made empty",
        _sql(
            "DROP TRIGGER log_no_update; CREATE TRIGGER log_no_update BEFORE UPDATE ON log BEGIN SELECT 1; END"
        ),
    ),
    (
        "trigger rewritten in the schema",
        _schema(
            "UPDATE sqlite_master SET sql = replace(sql, 'ABORT', 'IGNORE') WHERE type = 'trigger'"
        ),
    ),
    (
        "schema that is no SQL",
        _schema("UPDATE sqlite_master SET sql = 'CREATE TABLE log (' WHERE name = 'log'"),
    ),
    (
        "two objects of one root page",
        _schema("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'ui'"),
    ),
    (
        "table with a computed column",
        _sql(
            "DROP TABLE ui; CREATE TABLE ui (key TEXT, value TEXT AS (hex(zeroblob(90000000))))",
            "INSERT INTO ui (key) VALUES ('place')",
        ),
    ),
    (
        "table with a costly check",
        _sql(
            "DROP TABLE ui; CREATE TABLE ui (key TEXT, value TEXT CHECK (hex(zeroblob(9999999))))"
        ),
    ),
    (
        "tables without types",
        _sql(
            "ALTER TABLE meta RENAME TO old; CREATE TABLE meta AS SELECT key, x'00ff' AS value FROM old"
        ),
    ),
    ("virtual table", _sql("DROP TABLE ui; CREATE VIRTUAL TABLE ui USING fts5 (key, value)")),
    ("index on a costly expression", _sql("CREATE INDEX costly ON log (length(hex(json)))")),
    ("index that leaves rows out", _sql("CREATE INDEX some ON calls (key) WHERE id > 3")),
    ("another application's number", _sql("PRAGMA application_id = 7")),
    ("format 0", _sql("PRAGMA user_version = 0")),
    ("format of another number inside", _meta("format", "2")),
    ("topic of 20 million letters", _meta("topic", "x" * 20_000_000)),
    ("topic that writes to the terminal", _meta("topic", "\x1b]0;owned\x07\x1b[2J\u202edlrow")),
    ("name of another folder", _meta("name", "../../../../tmp/evil")),
    ("summary 100,000 lists deep", _meta("summary", DEEP)),
    (
        "summary of the wrong kinds",
        _meta(
            "summary", '{"waiting": 5, "known_usd": "x", "drafts": 4, "verdicts": [], "needs": 1}'
        ),
    ),
    (
        "summary of endless numbers",
        _meta("summary", '{"known_usd": Infinity, "calls": NaN, "calls_without_price": 1e999}'),
    ),
    ("opened at no time", _meta("opened", "\x1b[31mnever")),
    ("log row that is no JSON", _without_triggers("UPDATE log SET json = '{' WHERE seq = 3")),
    (
        "log row 100,000 lists deep",
        _without_triggers(f"UPDATE log SET json = '{DEEP}' WHERE seq = 19"),
    ),
    (
        "log row of no known kind",
        _without_triggers('UPDATE log SET json = \'{"kind": "order"}\' WHERE seq = 2'),
    ),
    (
        "another reply to a call",
        _without_triggers('UPDATE calls SET reply = \'{"text": "another"}\' WHERE id = 2'),
    ),
    ("a paper under another id", _without_triggers("UPDATE papers SET id = 'z' WHERE id = 'p1'")),
    ("draft whose inputs are no JSON", _without_triggers("UPDATE drafts SET inputs = '{'")),
    ("hash chain missing", _without_triggers("DELETE FROM chain")),
    ("rubbish as write-ahead log", _beside("-wal", os.urandom(9000))),
    (
        "rubbish as rollback journal",
        _beside("-journal", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + os.urandom(9000)),
    ),
    (
        "rubbish as mark",
        lambda path: path.with_name(f".{path.name}.mark").write_bytes(os.urandom(900)),
    ),
    ("half a file", lambda path: os.truncate(path, path.stat().st_size // 2)),
    ("no byte", lambda path: os.truncate(path, 0)),
    ("a text", lambda path: path.write_text("only words " * 900)),
    ("another program's database", _in_its_place(_foreign)),
    ("a folder", _in_its_place(lambda path: path.mkdir())),
    ("a pipe", _in_its_place(lambda path: os.mkfifo(path))),
    ("a link to an endless device", _in_its_place(lambda path: path.symlink_to("/dev/zero"))),
    ("a link to itself", _in_its_place(lambda path: path.symlink_to(path.name))),
)


@dataclass(frozen=True)
class Outcome:
    """What became of a file when it was imported, listed, and opened in its place; ``harm`` says
    what went wrong."""

    imported: str = ""
    listed: str = ""
    opened: str = ""
    harm: str = ""


def _paths(folder: Path) -> Paths:
    return Paths(folder / "data", folder / "config", folder / "cache")


def _imported(folder: Path, file: Path, wanted: object) -> tuple[str, str]:
    paths = _paths(folder / "mine")
    try:
        copy = import_session(paths, str(file))
    except CoiError:
        left = sorted(paths.sessions.iterdir()) if paths.sessions.is_dir() else []
        return "refused", f"a refused import left {left}" if left else ""
    with contextlib.closing(sqlite3.connect(copy)) as raw:
        if faults := schema_faults(raw):
            return "taken in", f"the copy holds what is not ours: {faults[0]}"
    with SessionFile(copy) as opened:
        loaded, found = opened.load(), opened.verify()
    if found or opened.read_only:
        return "taken in", f"the copy is not sound: {found or opened.read_only_reason}"
    texts = (*loaded.meta.values(), list_sessions(paths.sessions)[0].topic)
    if any("\x1b" in text or "\u202e" in text or len(text) > 100_000 for text in texts):
        return "taken in", "the copy says of itself what was not cleaned"
    return "clean", "" if _essence(content(copy)) == wanted else "the copy has another content"


def _essence(found: dict[str, list[tuple[object, ...]]]) -> object:
    """What must be the same in a copy; name, topic and summary are cleaned on the way."""
    return {table: rows for table, rows in found.items() if table not in ("meta", "ui")}


def _listed(folder: Path) -> tuple[str, str]:
    """The state that the list shows, with every line of it as the screen and ``coi ls`` make
    them."""
    found = list_sessions(folder)
    if "good" not in {peek.path.name.partition(".")[0] for peek in found}:
        return "gone", "a sound session is missing from the list"
    one = next((peek for peek in found if peek.path.name == NAME), None)
    if one is None:
        return "gone", "the file is missing from the list"
    shown = "\n".join(
        [
            *table_lines(columns(found, [""] * len(found), 120), 120),
            *(text for peek in found for _, text in facts(peek, "", {})),
        ]
    )
    told = [one.name, one.topic, one.method, one.reason, str(one.summary)]
    bad = any("\x1b" in text or "\u202e" in text or len(text) > 100_000 for text in (shown, *told))
    return one.state, "the list shows what was not cleaned" if bad else ""


def _opened(path: Path) -> tuple[str, str]:
    try:
        with contextlib.suppress(CoiError):
            archive_session(path)
            archive_session(path, back=True)
        with SessionFile(path) as file:
            before, found = file.load(), file.verify()
            if file.read_only:
                return (
                    "only read",
                    ""
                    if found or "newer" in file.read_only_reason
                    else "read-only, and called sound",
                )
            file.save_draft("9/idea", "a text", None, {})
            file.set_meta("topic", before.meta["topic"])
            after, kept = file.load(), file.drafts()
            acted = (
                after.meta["topic"] != before.meta["topic"]
                or "9/idea" not in kept
                or len(after.entries) != len(before.entries)
            )
            return (
                ("written", "something of the file acted")
                if acted
                else ("written" if found else "sound", "")
            )
    except CoiError:
        return "refused", ""


def _handled(file: Path, folder: Path, wanted: object) -> Outcome:
    imported, first = _imported(folder, file, wanted)
    listed, second = _listed(file.parent)
    opened, third = _opened(file)
    return Outcome(imported, listed, opened, "; ".join(filter(None, (first, second, third))))


def _report(answer: Any, file: Path, folder: Path, wanted: object) -> None:
    """In the child: handle the file and send what became of it."""
    try:
        found = _handled(file, folder, wanted)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the file has brought the program down
        found = Outcome(harm=f"{type(error).__name__}: {str(error)[:90]}")
    answer.send(found)
    answer.close()


def handled(file: Path, folder: Path, wanted: object) -> Outcome:
    """Handle one file in a process of its own, which is ended when it takes too long."""
    receive, send = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=_report, args=(send, file, folder, wanted))
    child.start()
    send.close()
    try:
        return (
            receive.recv()
            if receive.poll(MOST_S)
            else Outcome(harm=f"no end within {MOST_S:.0f} s")
        )
    except EOFError:
        return Outcome(harm="the process died")
    finally:
        child.kill()
        child.join()


def campaign(cases: Sequence[tuple[str, Harm]] = CASES) -> dict[str, Outcome]:
    """Make each file and see what becomes of it."""
    out: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory(prefix="coi-hostile-") as said:
        folder = Path(said)
        whole, _ = make(folder, random.Random(1))
        wanted = _essence(content(whole / NAME))
        for number, (title, harm) in enumerate(cases):
            place = folder / str(number) / "theirs"
            place.mkdir(parents=True)
            for name in (NAME, "good.coi.db"):
                shutil.copy(whole / NAME, place / name)
            harm(place / NAME)
            out[title] = handled(place / NAME, place.parent, wanted)
            shutil.rmtree(place.parent)
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    found = campaign()
    print(f"{'file':38}{'import':>10}{'list':>16}{'opened':>12}  harm")
    for title, outcome in found.items():
        print(
            f"{title:38}{outcome.imported:>10}{outcome.listed:>16}{outcome.opened:>12}  {outcome.harm}"
        )
    harmed = [title for title, outcome in found.items() if outcome.harm]
    print(f"{len(found)} files, {len(harmed)} did harm")
    return 1 if harmed else 0


if __name__ == "__main__":
    sys.exit(main())
