"""The session's proposal as JSON for other programs (COI-16).

Schema ``coi-tui/proposal``, number 1. Keys of the top level, after ``schema`` and ``number``:
``arena`` (pick, standings), ``branches`` (by number: parked, addresses and papers of the chain, own
verdict and judgements), ``cells`` (by address: ``content`` as the session has it, origin, version, recipe, status), ``decisions`` (who did what to which address, with
reason; no notes), ``exported_at``, ``made`` (models, prompts, cost, texts by people), ``method``,
``name``, ``papers`` (by id), ``settings``, ``unverified`` (works that texts name and no paper is,
with the addresses), ``warnings``, ``winner``. Texts are unescaped. The file holds no keys, no notes
but those on judgements, no replies, and the hunch only where ``send_hunch`` is set.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from coi_tui.methods.chain.chains import Chains
from coi_tui.model.address import Branch
from coi_tui.model.entries import Version
from coi_tui.model.money import Money
from coi_tui.model.text import Fields, clean_tree
from coi_tui.present.bibliography import address_of
from coi_tui.present.formats import Format
from coi_tui.present.proposal import Proposal
from coi_tui.present.snapshot import WITH_APPENDIX, ProposalOptions, SessionSnapshot

_DECIDED = {"seq", "time", "actor", "action", "address", "reason", "group", "undoes"}
_VALUES = ("paper", "version", "point", "everywhere", "side")
"""Keys of a decision's value that are exported; all else may hold private text."""


def as_json(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    """Stable JSON: equal sessions give equal text but for ``exported_at``."""
    proposal, state = Proposal(snapshot, WITH_APPENDIX), snapshot.state
    usd = Money.of(snapshot.calls)
    body = {
        "name": snapshot.name,
        "method": snapshot.method,
        "exported_at": snapshot.exported_at,
        "winner": snapshot.branch,
        "settings": dict(state.settings),
        "branches": {str(branch): _branch(snapshot, branch) for branch in state.branches},
        "cells": {at: _cell(snapshot, version) for at, version in snapshot.in_use.items()},
        "arena": {
            "pick": state.pick,
            "standings": [asdict(one) | {"rating": one.rating.plain} for one in snapshot.standings],
        },
        "warnings": [asdict(warning) for warning in proposal.warnings],
        "unverified": {w.text: list(w.where) for w in proposal.works if w.paper is None},
        "papers": {
            p.id: p.model_dump(mode="json", exclude={"open_pdf", "url"})
            | {"address": address_of(p)}
            for p in state.papers.values()
        },
        "made": {
            "models": [
                {"asked": a, "served": s, "calls": n} for (a, s), n in snapshot.models.items()
            ],
            "prompts": [
                dict(zip(("name", "version", "hash", "own_copy", "calls"), use, strict=True))
                for use in snapshot.prompts
            ],
            "usd": usd.total,
            "unpriced": usd.unpriced,
            "by_people": snapshot.written,
        },
        "decisions": [
            {
                **d.model_dump(mode="json", include=_DECIDED),
                "undone": d.group in snapshot.undone and d.action not in ("undo", "redo"),
                "value": {name: d.value[name] for name in _VALUES if name in d.value},
            }
            for d in snapshot.decisions
            if d.action != "note"
        ],
    }
    whole = {"schema": "coi-tui/proposal", "number": 1, **dict(sorted(body.items()))}
    plain = json.loads(json.dumps(whole, default=dict))
    return json.dumps(clean_tree(plain), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _cell(snapshot: SessionSnapshot, version: Version) -> Fields:
    content = dict(version.content)
    if version.address == "topic" and not snapshot.state.settings.get("send_hunch"):
        content.pop("hunch", None)
    included = {"time", "origin", "parents", "recipe", "wording_only", "cost_usd"}
    return {
        "content": content,
        "version": version.seq,
        "by_person": version.by_person,
        "status": snapshot.fresh.get(version.address, ""),
        **version.model_dump(mode="json", include=included),
    }


def _branch(snapshot: SessionSnapshot, branch: Branch) -> Fields:
    state = snapshot.state
    judged = {paper for of, paper in (*state.judged, *state.judged_notes) if of == branch and paper}
    return {
        "parked": branch in state.parked,
        "chain": [
            {"address": at.address, "paper": at.paper, "verdict": at.verdict, "why": at.why}
            for at in Chains.of(state).in_chain(branch)
        ],
        "own_verdict": state.own_verdict(branch),
        "judgements": {
            paper: {
                "judgement": state.judged.get((branch, paper), ""),
                "note": state.judged_notes.get((branch, paper), ""),
            }
            for paper in sorted(judged)
        },
    }


FORMAT = Format("everything as JSON, with every decision", as_json)
