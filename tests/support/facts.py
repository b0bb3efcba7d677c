"""What a session says, without the words of the screens: for comparing sessions between versions of
the program."""

from __future__ import annotations

import json
from typing import Any

from coi_tui.model.address import parse_address
from coi_tui.model.fold import undo_stacks
from coi_tui.model.text import digest
from coi_tui.session.session import Session


def facts(session: Session) -> dict[str, Any]:
    """Rows, texts (as hashes, field by field; the export holds most of them in full), verdicts,
    freshness, undo and export."""
    done, taken_back = undo_stacks(session.core.journal.entries)
    state = session.state
    return _plain(
        {
            "rows": [row.address for row in session.queries.rows()],
            "cells": {address: _cell(session, address) for address in sorted(set(state.walk()))},
            "undo": len(done),
            "redo": len(taken_back),
            "decisions": _decisions(session),
            "chains": {branch: state.chain(branch) for branch in state.branches},
            "shelf": [[item.paper, item.branch, item.kind] for item in state.shelf],
            "parked": sorted(state.parked),
            "pick": state.pick,
            "notes": state.notes,
            "points": [[*key, said] for key, said in sorted(state.points.items())],
            "judged": [[*key, said] for key, said in sorted(state.judged.items())],
            "votes": [[*key, said] for key, said in sorted(state.votes.items())],
            "attached": {paper: held["file"] for paper, held in state.attached.items()},
            "failed": sorted(session.core.still_failed),
            "stage": session.queries.stage_reached(),
            "calls": len(session.core.file.calls()),
            "export": _export(json.loads(session.exports.text("json"))),
        }
    )


def in_use(session: Session) -> dict[str, Any]:
    """Only what is in use and how fresh it is: the short form, for after an undo."""
    state = session.state
    return _plain(
        {
            a: [_number(session, a), session.core.freshness(a).status]
            for a in sorted(set(state.walk()))
        }
    )


def _number(session: Session, address: str) -> Any:
    at = session.state.slots.get(address)
    version = session.state.in_use(address) if at is None else None
    return at.paper if at is not None else version.seq if version is not None else None


def _cell(session: Session, address: str) -> dict[str, Any]:
    state, fresh = session.state, session.core.freshness(address)
    common = {
        "freshness": fresh.status,
        "changed": sorted(fresh.changed),
        "choice": fresh.choice_waits,
    }
    if parse_address(address).part == "slot":
        held = state.slot(address)
        return {**common, "paper": held.paper, "verdict": held.verdict}
    cell, version = state.cell(address), state.in_use(address)
    verdicts = {
        "accepted": cell.accepted,
        "rejected": cell.rejected,
        "protected": cell.protected,
        "by_person": cell.lock is not None,
    }
    known = {**common, **verdicts, "versions": list(cell.versions)}
    if version is None:
        return known
    return {
        **known,
        "version": version.seq,
        "origin": version.origin,
        "content": {k: digest(v)[:16] for k, v in version.content.items()},
    }


def _decisions(session: Session) -> list[list[Any]]:
    void = {seq for seq, _ in session.state.void}
    return [
        [d.seq, d.actor, d.action, d.address, d.reason, d.undoes, d.seq in void]
        for d in session.core.decision_log()
    ]


def _export(body: dict[str, Any]) -> dict[str, Any]:
    """The export without what is worded, and without the time at which it was made."""
    body["cautions"] = sorted({c["kind"] for c in body["cautions"]})
    body.pop("exported_at")
    for branch in body["branches"].values():
        branch["ended"] = {side: bool(why) for side, why in branch["ended"].items()}
        for points in branch["review"]:
            for point in points["points"]:
                point.pop("outcome_in_words")
    return body


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """As JSON reads it back; mappings of any kind become objects."""
    read: dict[str, Any] = json.loads(json.dumps(value, default=dict))
    return read
