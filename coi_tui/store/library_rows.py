"""Rows of the library file."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from coi_tui.model.papers import Link, Paper, fill_missing
from coi_tui.store import chain as rows

if TYPE_CHECKING:
    from sqlite_utils import Database

T = TypeVar("T", bound=BaseModel)
_MANY = 500


def _portions(ids: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """``?, ?, ...`` and the ids for it, a bounded number at a time."""
    for start in range(0, len(ids), _MANY):
        some = list(ids[start : start + _MANY])
        yield ", ".join("?" * len(some)), some


def at_once(db: Database, work: Callable[[Database], None]) -> None:
    """One short transaction that asks for the right to write first, so that two processes wait for
    each other instead of failing."""
    with db.conn:
        db.execute("BEGIN IMMEDIATE")
        work(db)


def put(db: Database, into: str, new: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows or replace those of the same key; ``into`` is ``table (column, ...)``."""
    marks = ", ".join("?" * (into.count(",") + 1))
    db.conn.executemany(f"INSERT OR REPLACE INTO {into} VALUES ({marks})", new)


def read(model: type[T], text: str) -> T | None:
    """A row as a value; None where it does not fit (another program version wrote it): then it
    counts as unknown."""
    try:
        return model.model_validate_json(text)
    except ValidationError:
        return None


def papers(db: Database, ids: Sequence[str]) -> dict[str, Paper]:
    """The known ones of these papers, in the order asked for."""
    found: dict[str, Paper] = {}
    for marks, some in _portions(ids):
        for key, text in db.execute(f"SELECT id, json FROM papers WHERE id IN ({marks})", some):
            if paper := read(Paper, text):
                found[key] = paper
    return {key: found[key] for key in ids if key in found}


def add_papers(db: Database, new: Iterable[Paper]) -> None:
    """Add papers; a known one learns what it did not say, and takes the newer citation count."""
    for paper in new:
        row = db.execute("SELECT json FROM papers WHERE id = ?", [paper.id]).fetchone()
        known = read(Paper, row[0]) if row else None
        merged = _merge(known, paper) if known else paper
        put(db, "papers (id, json)", [(paper.id, rows.to_json(merged, f"The paper {paper.id}"))])


def own_papers(db: Database) -> list[Paper]:
    """The researcher's own papers in the order in which they came; a row that does not fit is left
    out here, and left where it is."""
    found = db.execute("SELECT json FROM own_papers ORDER BY number")
    return [paper for (text,) in found if (paper := read(Paper, text))]


def change_own(db: Database, change: Callable[[list[Paper]], list[Paper]]) -> None:
    """Write what differs between the own papers and what ``change`` makes of them."""
    held = {paper.id: paper for paper in own_papers(db)}
    wanted = {paper.id: paper for paper in change(list(held.values()))}
    db.conn.executemany(
        "DELETE FROM own_papers WHERE id = ?", [(gone,) for gone in held.keys() - wanted.keys()]
    )
    changed = [p for p in wanted.values() if held.get(p.id) != p]
    put_own(db, [(p.id, rows.to_json(p, f"The paper {p.id}")) for p in changed])


def put_own(db: Database, papers: Iterable[tuple[str, str]]) -> None:
    """Add own papers, by id and JSON, or change them in their place."""
    sql = "INSERT INTO own_papers (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json"
    db.conn.executemany(sql, papers)


def _merge(old: Paper, new: Paper) -> Paper:
    merged = fill_missing(old, new)
    newer = new.citations.count is not None and (new.citations.read or "") > (
        merged.citations.read or ""
    )
    return merged.model_copy(update={"citations": new.citations}) if newer else merged


def links(db: Database, paper: str) -> list[Link]:
    """All links to and from a paper."""
    sql = "SELECT citing, cited, kind, evidence FROM links WHERE citing = ? OR cited = ? ORDER BY citing, cited, kind"
    return [
        Link(citing=a, cited=b, kind=kind, evidence=e)
        for a, b, kind, e in db.execute(sql, [paper, paper])
    ]


def embeddings(db: Database, ids: Sequence[str], model: str) -> dict[str, array[float]]:
    """The known vectors of these papers by this model."""
    found: dict[str, array[float]] = {}
    for marks, some in _portions(ids):
        sql = f"SELECT paper, vector FROM embeddings WHERE model = ? AND paper IN ({marks})"
        found |= {paper: array("f", raw) for paper, raw in db.execute(sql, [model, *some])}
    return {key: found[key] for key in ids if key in found}
