"""The session's proposal as JSON for other programs (COI-16).

Schema ``coi-tui/proposal``, number 1. Keys of the top level, after ``schema`` and ``number``: ``arena`` (standings, matches),
``branches`` (by number: question, chain, ended, trends, direction, idea, bad_cases, novelty, experiment, review), ``cautions``,
``decisions`` (who did what to which address, with reason; no notes), ``exported_at``, ``made`` (models, prompts, spending, people),
``method``, ``name``, ``papers`` (by id), ``settings``, ``topic``, ``unverified_titles``, ``versions`` (in use, by address), ``winner``.
A text is ``content`` with ``origin``, ``by_person``, ``version``, ``status``, and null where it is not made; it stands as it is in the
session, unescaped. The file holds no keys, no notes, no replies, and the hunch only where ``send_hunch`` is set.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from coi_tui.export.bibtex import session_papers
from coi_tui.export.book import address_of
from coi_tui.export.cautions import cautions
from coi_tui.export.cited import cite_named, unverified
from coi_tui.export.novelty import outcome
from coi_tui.export.review import fates, rounds
from coi_tui.export.sheet import Sheet
from coi_tui.export.subject import NUMBERS, Subject
from coi_tui.export.tally import human_share, models, prompts, spending, written
from coi_tui.model.address import slot
from coi_tui.model.entries import Version
from coi_tui.model.text import clean_tree

SCHEMA = "coi-tui/proposal"
NUMBER = 1
_VALUES = ("paper", "version", "point", "everywhere", "side")
"""Keys of a decision's value that are exported; all else may hold private text."""


def as_json(subject: Subject) -> str:
    """Stable JSON: equal sessions give equal text but for ``exported_at``."""
    sheet = Sheet(subject)
    body = {
        "name": subject.name, "method": subject.method, "exported_at": subject.exported_at, "winner": subject.branch,
        "topic": _cell(sheet, "topic"), "settings": _settings(subject),
        "branches": {str(b): _branch(sheet, b) for b in sheet.state.branches}, "arena": _arena(sheet),
        "cautions": [{"kind": c.kind, "text": c.text, "addresses": list(c.addresses)} for c in cautions(sheet)],
        "unverified_titles": unverified(sheet), "papers": _papers(sheet), "made": _made(sheet),
        "versions": {a: _version(sheet, v) for a, v in subject.in_use().items()}, "decisions": _decisions(subject),
    }  # fmt: skip
    head = {"schema": SCHEMA, "number": NUMBER}
    return json.dumps({**head, **_sorted(clean_tree(body))}, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _sorted(value: Any) -> Any:
    """Keys in order, at every depth; mappings and tuples as JSON has them."""
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(v) for v in value] if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    """Mappings and tuples as dictionaries and lists."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, list | tuple | set | frozenset) else value


def _cell(sheet: Sheet, address: str) -> dict[str, Any] | None:
    version = sheet.state.in_use(address)
    if version is None:
        return None
    content = _plain(version.content)
    if address == "topic" and not sheet.state.settings.get("send_hunch"):
        content.pop("hunch", None)
    status = sheet.subject.fresh.get(address, "")
    return {"content": content, "origin": version.origin, "by_person": version.by_person, "version": version.seq, "status": status}


def _settings(subject: Subject) -> dict[str, int | str]:
    numbers = {name: subject.bound(name) for name in NUMBERS}
    return {**numbers, "known_until": str(subject.state.settings.get("known_until") or "")}


def _branch(sheet: Sheet, branch: int) -> dict[str, Any]:
    state = sheet.state
    report = _cell(sheet, f"{branch}/nov")
    if report is not None:
        found = outcome(report["content"])
        report |= {"outcome": found.verdict, "outcome_in_words": found.said}
    return {
        "question": _cell(sheet, f"Q{branch}"), "parked": branch in state.parked,
        "chain": [_place(sheet, branch, pos) for pos in state.chain(branch)],
        "ended": {side: sheet.subject.stopped.get((branch, side), "") for side in ("forward", "backward")},
        "trends": {address: _cell(sheet, address) for address in state.trends(branch)},
        "direction": _cell(sheet, f"{branch}/dir"), "idea": _cell(sheet, f"{branch}/idea"), "novelty": report,
        "bad_cases": [{"paper": c.paper, "title": c.title, "reason": c.reason} for c in state.bad.get(branch, ())],
        "experiment": _cell(sheet, f"{branch}/exp"), "review": _rounds(sheet, branch),
    }  # fmt: skip


def _place(sheet: Sheet, branch: int, pos: int) -> dict[str, Any]:
    at = sheet.state.slot(slot(branch, pos))
    return {
        "address": at.address,
        "paper": at.paper,
        "verdict": at.verdict,
        "why": _plain(at.why),
        "card": _cell(sheet, f"{at.address}.card"),
    }


def _rounds(sheet: Sheet, branch: int) -> list[dict[str, Any]]:
    return [
        {
            "review": one.review.seq, "plan": one.plan.seq if one.plan else None,
            "points": [{**_plain(f.point), "outcome": f.word, "outcome_in_words": f.said} for f in fates(sheet, branch, one)],
        }
        for one in rounds(sheet, branch)
    ]  # fmt: skip


def _arena(sheet: Sheet) -> dict[str, Any]:
    lines = [
        {"idea": s.player, "points": s.points, "games": s.games, "elo": dict(s.elo), "average": s.average, "strength": s.strength}
        for s in sheet.subject.standings
    ]
    return {"pick": sheet.state.pick, "standings": lines, "matches": {a: _cell(sheet, a) for a in sheet.subject.matches}}


def _papers(sheet: Sheet) -> dict[str, Any]:
    """Papers of chains, novelty reports and refinements, and those that a text names."""
    for paper_id in session_papers(sheet.subject):
        sheet.book.number(paper_id)
    for branch in sheet.state.branches:
        plan = sheet.state.in_use(f"{branch}/exp")
        for paper_id in ((plan.content.get("support") or {}).get("papers") or []) if plan else ():
            sheet.book.number(str(paper_id))
    cite_named(sheet)
    return {p.id: {**p.model_dump(mode="json", exclude={"open_pdf", "url"}), "address": address_of(p)} for p in sheet.book.entries()}


def _version(sheet: Sheet, version: Version) -> dict[str, Any]:
    return {
        "seq": version.seq, "time": version.time, "actor": version.actor, "origin": version.origin, "parents": list(version.parents),
        "recipe": _plain(version.recipe), "wording_only": version.wording_only, "cost_usd": version.cost_usd,
        "kept": len(sheet.state.cell(version.address).versions), "status": sheet.subject.fresh.get(version.address, ""),
    }  # fmt: skip


def _decisions(subject: Subject) -> list[dict[str, Any]]:
    undone = subject.undone
    return [
        {
            "seq": d.seq, "time": d.time, "actor": d.actor, "action": d.action, "address": d.address, "reason": d.reason,
            "group": d.group, "undone": d.group in undone and d.action not in ("undo", "redo"), "undoes": d.undoes,
            "value": {name: _plain(d.value[name]) for name in _VALUES if name in d.value},
        }
        for d in subject.decisions if d.action != "note"
    ]  # fmt: skip


def _made(sheet: Sheet) -> dict[str, Any]:
    spent = spending(sheet.subject)
    return {
        "models": [{"asked": a, "served": s, "calls": n} for a, s, n in models(sheet.subject)],
        "prompts": [{"name": p, "version": v, "hash": h, "own_copy": o, "calls": n} for p, v, h, o, n in prompts(sheet.subject)],
        "spending": {"calls": dict(spent.by_kind), "prompt_tokens": spent.prompt_tokens, "completion_tokens": spent.completion_tokens,
                     "usd": spent.usd, "calls_without_price": spent.unpriced},
        "people": {"texts": written(sheet.subject), "share_of_characters": round(human_share(sheet.subject), 4)},
    }  # fmt: skip
