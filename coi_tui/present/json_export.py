"""The session's proposal as JSON for other programs (COI-16).

Schema ``coi-tui/proposal``, number 1. Keys of the top level, after ``schema`` and ``number``:
``arena`` (standings, matches),
``branches`` (by number: question, chain, ended, trends, direction, idea, bad_cases, novelty,
experiment, review), ``cautions``,
``decisions`` (who did what to which address, with reason; no notes), ``exported_at``, ``made``
(models, prompts, spending, people),
``method``, ``name``, ``papers`` (by id), ``settings``, ``topic``, ``unverified`` (works that texts
name and no paper is, with the addresses), ``versions`` (in use, by address), ``winner``.
A text is ``content`` with ``origin``, ``by_person``, ``version``, ``status``, and null where it is
not made; it stands as it is in the session, unescaped. ``novelty`` has the researcher's
``own_verdict`` and ``judgements`` of papers with their notes, each
beside the model's verdict (``model``). The file holds no keys, no other notes, no replies, and the hunch only where
``send_hunch`` is set.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from coi_tui.model.address import Branch, question_of, slot
from coi_tui.model.content import ExperimentPlan, NoveltyReport, ReviewPoint
from coi_tui.model.entries import Version
from coi_tui.model.reviewing import rounds
from coi_tui.model.state import State
from coi_tui.model.text import clean_tree
from coi_tui.present.bibliography import address_of
from coi_tui.present.provenance import models, prompts, spending, written
from coi_tui.present.references import session_papers
from coi_tui.present.review_points import point_outcomes
from coi_tui.present.snapshot import ExportContext, SessionSnapshot
from coi_tui.present.warnings import warnings_of

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
        "cautions": [asdict(warning) for warning in warnings_of(context)],
        "unverified": {work.text: list(work.where) for work in context.unverified},
        "papers": _papers(context),
        "made": _made(snapshot),
        "versions": {a: _version(context, v) for a, v in snapshot.in_use.items()},
        "decisions": _decisions(snapshot),
    }
    whole = {"schema": SCHEMA, "number": NUMBER, **dict(sorted(body.items()))}
    plain = json.loads(json.dumps(whole, default=dict))
    return json.dumps(clean_tree(plain), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _cell(context: ExportContext, address: str) -> dict[str, Any] | None:
    version = context.state.in_use(address)
    if version is None:
        return None
    content = dict(version.content)
    if address == "topic" and not context.state.settings.get("send_hunch"):
        content.pop("hunch", None)
    return {
        "content": content,
        "origin": version.origin,
        "by_person": version.by_person,
        "version": version.seq,
        "status": context.snapshot.fresh.get(address, ""),
    }


def _settings(snapshot: SessionSnapshot) -> dict[str, Any]:
    bounds = next(iter(snapshot.bounds_by_method.values()), {})
    return {**bounds, "known_until": str(snapshot.state.settings.get("known_until") or "")}


def _branch(context: ExportContext, branch: Branch) -> dict[str, Any]:
    state = context.state  # the keys "trends" and "direction" belong to the schema's number 1
    report = _cell(context, f"{branch}/nov")
    if report is not None:
        report["own_verdict"] = state.own_verdict(branch)
        report["judgements"] = _judgements(state, branch)
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


def _judgements(state: State, branch: Branch) -> list[dict[str, str]]:
    """What the researcher says of single papers, each beside the model's verdict."""
    report = state.read(f"{branch}/nov", NoveltyReport) or NoveltyReport()
    of_model = {row.paper: row.verdict for row in report.papers}
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
    return {
        "pick": context.state.pick,
        "standings": [asdict(standing) for standing in context.snapshot.standings],
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
    context.cite_works()
    return {
        p.id: {**p.model_dump(mode="json", exclude={"open_pdf", "url"}), "address": address_of(p)}
        for p in context.bibliography.entries()
    }


def _version(context: ExportContext, version: Version) -> dict[str, Any]:
    kept = {"seq", "time", "actor", "origin", "parents", "recipe", "wording_only", "cost_usd"}
    return {
        **version.model_dump(mode="json", include=kept),
        "kept": len(context.state.cell(version.address).versions),
        "status": context.snapshot.fresh.get(version.address, ""),
    }


def _decisions(snapshot: SessionSnapshot) -> list[dict[str, Any]]:
    kept = {"seq", "time", "actor", "action", "address", "reason", "group", "undoes"}
    undone = snapshot.undone
    return [
        {
            **d.model_dump(mode="json", include=kept),
            "undone": d.group in undone and d.action not in ("undo", "redo"),
            "value": {name: d.value[name] for name in _VALUES if name in d.value},
        }
        for d in snapshot.decisions
        if d.action != "note"
    ]


def _made(snapshot: SessionSnapshot) -> dict[str, Any]:
    spent = asdict(spending(snapshot))
    return {
        "models": [{"asked": a, "served": s, "calls": n} for a, s, n in models(snapshot)],
        "prompts": [asdict(used) for used in prompts(snapshot)],
        "spending": spent | {"usd": None if spent["unpriced"] else spent["usd"]},
        "by_people": written(snapshot),
    }
