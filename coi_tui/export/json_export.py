"""The session's proposal as JSON for other programs (COI-16).

Schema ``coi-tui/proposal``, number 1. Keys of the top level, after ``schema`` and ``number``:
``arena`` (standings, matches),
``branches`` (by number: question, chain, ended, trends, direction, idea, bad_cases, novelty,
experiment, review), ``cautions``,
``decisions`` (who did what to which address, with reason; no notes), ``exported_at``, ``made``
(models, prompts, spending, people),
``method``, ``name``, ``papers`` (by id), ``settings``, ``support`` (sentences about earlier work by
address), ``topic``,
``unverified_citations``, ``unverified_titles``, ``versions`` (in use, by address), ``winner``.
A text is ``content`` with ``origin``, ``by_person``, ``version``, ``status``, and null where it is
not made; it stands as it is in the session, unescaped. ``novelty`` has the researcher's
``own_verdict`` and ``judgements`` of papers with their notes, each beside the model's verdict
(``model``). The file holds no keys, no other notes, no replies, and the hunch only where
``send_hunch`` is set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from coi_tui.export.bibliography import address_of
from coi_tui.export.novelty_evidence import outcome
from coi_tui.export.provenance import human_share, models, prompts, spending, written
from coi_tui.export.references import session_papers
from coi_tui.export.review_points import point_outcomes
from coi_tui.export.snapshot import ExportContext, SessionSnapshot
from coi_tui.export.titles import cite_named, unverified, unverified_citations
from coi_tui.export.warnings import warnings_of
from coi_tui.model.address import Branch, question_of, slot
from coi_tui.model.content import ExperimentPlan, NoveltyReport, ReviewPoint
from coi_tui.model.entries import Version
from coi_tui.model.reviewing import rounds
from coi_tui.model.text import clean

SCHEMA = "coi-tui/proposal"
NUMBER = 1
_VALUES = ("paper", "version", "point", "everywhere", "side")
"""Keys of a decision's value that are exported; all else may hold private text."""


def as_json(snapshot: SessionSnapshot) -> str:
    """Stable JSON: equal sessions give equal text but for ``exported_at``."""
    context = ExportContext(snapshot)
    body = {
        "name": snapshot.name,
        "method": snapshot.method,
        "exported_at": snapshot.exported_at,
        "winner": snapshot.branch,
        "topic": _cell(context, "topic"),
        "settings": _settings(snapshot),
        "branches": {str(b): _branch(context, b) for b in context.state.branches},
        "arena": _arena(context),
        "cautions": [
            {"kind": c.kind, "text": c.text, "addresses": list(c.addresses)}
            for c in warnings_of(context)
        ],
        "unverified_titles": unverified(context),
        "unverified_citations": unverified_citations(context),
        "papers": _papers(context),
        "made": _made(context),
        "versions": {a: _version(context, v) for a, v in snapshot.in_use().items()},
        "decisions": _decisions(snapshot),
    }
    head = {"schema": SCHEMA, "number": NUMBER}
    return _lines({**head, **dict(sorted(body.items()))})


def _lines(parts: Mapping[str, Any]) -> str:
    """A JSON object with a line for each part, and one for each record of a part that holds
    several: a changed record is a changed line.

    The encoder that breaks every value into lines is written in Python, and took a third of a large
    export.
    """
    return (
        "{\n"
        + ",\n".join(f"{_dump(key)}: {_records(part)}" for key, part in parts.items())
        + "\n}\n"
    )


def _records(part: Any) -> str:
    if isinstance(part, dict) and part:
        return (
            "{\n"
            + ",\n".join(f"  {_dump(key)}: {_dump(part[key])}" for key in sorted(part))
            + "\n}"
        )
    if isinstance(part, list) and part:
        return "[\n" + ",\n".join(f"  {_dump(record)}" for record in part) + "\n]"
    return _dump(part)


def _dump(value: Any) -> str:
    """A value as JSON on one line, every text in it cleaned: where that line holds nothing to
    clean, no text of it does."""
    line = _encoded(value)
    return line if line.isprintable() and not _CONTROL.search(line) else _encoded(_clean(value))


def _encoded(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False, default=dict)


_CONTROL = re.compile(r"\\[^nt\"\\]")
"""How JSON writes a control character that is not a tab or the end of a line; also what may look
like one."""


def _clean(value: Any) -> Any:
    """Every text cleaned; mappings and tuples as JSON has them."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(key): _clean(inner) for key, inner in value.items()}
    return [_clean(inner) for inner in value] if isinstance(value, list | tuple) else value


def _cell(context: ExportContext, address: str) -> dict[str, Any] | None:
    version = context.state.in_use(address)
    if version is None:
        return None
    content = dict(version.content)
    if address == "topic" and not context.state.settings.get("send_hunch"):
        content.pop("hunch", None)
    status = context.snapshot.fresh.get(address, "")
    return {
        "content": content,
        "origin": version.origin,
        "by_person": version.by_person,
        "version": version.seq,
        "status": status,
    }


def _settings(snapshot: SessionSnapshot) -> dict[str, Any]:
    return {**snapshot.bounds, "known_until": str(snapshot.state.settings.get("known_until") or "")}


def _branch(context: ExportContext, branch: Branch) -> dict[str, Any]:
    state = context.state  # the keys "trends" and "direction" belong to the schema's number 1
    report, held = _cell(context, f"{branch}/nov"), state.read(f"{branch}/nov", NoveltyReport)
    if report is not None and held is not None:
        found = outcome(held)
        report |= {
            "outcome": found.verdict,
            "outcome_in_words": found.said,
            "own_verdict": state.own_verdict(branch),
        }
        report["judgements"] = _judgements(context, branch, held)
    return {
        "question": _cell(context, question_of(branch)),
        "parked": branch in state.parked,
        "chain": [_place(context, branch, pos) for pos in state.chain(branch)],
        "ended": {
            side: context.snapshot.stopped.get((branch, side), "")
            for side in ("forward", "backward")
        },
        "trends": {address: _cell(context, address) for address in state.pairs(branch)},
        "direction": _cell(context, f"{branch}/dir"),
        "idea": _cell(context, f"{branch}/idea"),
        "novelty": report,
        "bad_cases": [
            {"paper": c.paper, "title": c.title, "reason": c.reason}
            for c in state.bad.get(branch, ())
        ],
        "experiment": _cell(context, f"{branch}/exp"),
        "review": _rounds(context, branch),
        "proposal": _cell(context, f"{branch}/proposal"),
    }


def _judgements(
    context: ExportContext, branch: Branch, report: NoveltyReport
) -> list[dict[str, Any]]:
    """What the researcher says of single papers, each beside the model's verdict; empty for a paper
    that is in an earlier report only."""
    state, of_model = context.state, {row.paper: row.verdict for row in report.papers}
    papers = sorted(
        {paper for of, paper in (*state.judged, *state.judged_notes) if of == branch and paper}
    )
    return [
        {
            "paper": paper,
            "judgement": state.judged.get((branch, paper), ""),
            "note": state.judged_notes.get((branch, paper), ""),
            "model": of_model.get(paper, ""),
        }
        for paper in papers
    ]


def _place(context: ExportContext, branch: Branch, pos: int) -> dict[str, Any]:
    at = context.state.slot(slot(branch, pos))
    return {
        "address": at.address,
        "paper": at.paper,
        "verdict": at.verdict,
        "why": at.why,
        "card": _cell(context, f"{at.address}.card"),
    }


def _rounds(context: ExportContext, branch: Branch) -> list[dict[str, Any]]:
    return [
        {
            "review": one.review.seq,
            "plan": one.plan.seq if one.plan else None,
            "points": [
                {**_point(f.point), "outcome": f.word, "outcome_in_words": f.said}
                for f in point_outcomes(context, branch, one)
            ],
        }
        for one in rounds(context.state, branch)
    ]


def _point(point: ReviewPoint) -> dict[str, Any]:
    """A review point; only one that the researcher added says whose it is."""
    return point.model_dump(exclude=set() if point.own else {"own"})


def _arena(context: ExportContext) -> dict[str, Any]:
    lines = [
        {
            "idea": s.player,
            "points": s.points,
            "games": s.games,
            "elo": dict(s.elo),
            "average": s.average,
            "strength": s.strength,
        }
        for s in context.snapshot.standings
    ]
    return {
        "pick": context.state.pick,
        "standings": lines,
        "matches": {a: _cell(context, a) for a in context.snapshot.matches},
    }


def _papers(context: ExportContext) -> dict[str, Any]:
    """Papers of chains, novelty reports and refinements, and those that a text names."""
    for paper_id in session_papers(context.snapshot):
        context.bibliography.number(paper_id)
    for branch in context.state.branches:
        plan = context.state.read(f"{branch}/exp", ExperimentPlan)
        for paper_id in plan.support.papers if plan and plan.support else ():
            context.bibliography.number(paper_id)
    cite_named(context)
    return {
        p.id: {**p.model_dump(mode="json", exclude={"open_pdf", "url"}), "address": address_of(p)}
        for p in context.bibliography.entries()
    }


def _version(context: ExportContext, version: Version) -> dict[str, Any]:
    return {
        "seq": version.seq,
        "time": version.time,
        "actor": version.actor,
        "origin": version.origin,
        "parents": list(version.parents),
        "recipe": version.recipe,
        "wording_only": version.wording_only,
        "cost_usd": version.cost_usd,
        "kept": len(context.state.cell(version.address).versions),
        "status": context.snapshot.fresh.get(version.address, ""),
    }


def _decisions(snapshot: SessionSnapshot) -> list[dict[str, Any]]:
    undone = snapshot.undone
    return [
        {
            "seq": d.seq,
            "time": d.time,
            "actor": d.actor,
            "action": d.action,
            "address": d.address,
            "reason": d.reason,
            "group": d.group,
            "undone": d.group in undone and d.action not in ("undo", "redo"),
            "undoes": d.undoes,
            "value": {name: d.value[name] for name in _VALUES if name in d.value},
        }
        for d in snapshot.decisions
        if d.action != "note"
    ]


def _made(context: ExportContext) -> dict[str, Any]:
    spent = spending(context.snapshot)
    return {
        "models": [{"asked": a, "served": s, "calls": n} for a, s, n in models(context.snapshot)],
        "prompts": [
            {
                "name": p.name,
                "version": p.version,
                "hash": p.digest,
                "own_copy": p.own_copy,
                "calls": p.calls,
            }
            for p in prompts(context.snapshot)
        ],
        "spending": {
            "calls": dict(spent.by_kind),
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
            **({"cached_tokens": spent.cached_tokens} if spent.cached_tokens else {}),
            "usd": None if spent.unpriced else spent.usd,
            **({"known_usd": spent.usd} if spent.unpriced else {}),
            "calls_without_price": spent.unpriced,
        },
        "people": {
            "texts": written(context.snapshot),
            "share_of_characters": round(human_share(context.snapshot), 4),
        },
    }
