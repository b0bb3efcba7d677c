"""A model whose every reply is a hash of the values it was shown, so that equal inputs give equal
texts and no others do."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from coi_tui.llm.types import ChatReply, ChatRequest, Kind
from coi_tui.model.text import digest
from tests.support.scripted import ScriptedModel

Say = Callable[[ChatRequest], Any]


def shown(request: ChatRequest) -> str:
    """The hash of everything a request shows to the model."""
    return digest([request.prompt, dict(request.values)])[:12]


def reply_to(request: ChatRequest) -> dict[str, Any]:
    """A reply that fits the schema of the prompt, made from the hash alone."""
    h, v = shown(request), request.values
    return _REPLIES[request.prompt](h, v)


def _text(*names: str) -> Callable[[str, Mapping[str, Any]], dict[str, Any]]:
    return lambda h, _v: {name: f"{name} {h}" for name in names}


def _card(h: str, v: Mapping[str, Any]) -> dict[str, Any]:
    names = ("problem", "move", "evidence", "use", "limits")
    if v["kind"] != "full text":
        return _text(*names)(h, v)
    return {
        **_text(*names, "method", "experiment")(h, v),
        "entities": [{"name": f"thing {h}", "description": f"of {h}"}],
        "references": [],
    }


def _match(h: str, _v: Mapping[str, Any]) -> dict[str, Any]:
    return judged(*(int(h[n + 5], 16) % 3 for n in range(5)), why=f"because {h}")


def judged(*better: int, why: str = "because") -> dict[str, Any]:
    """The reply of a match, criterion by criterion: 0 for the text shown first, 1 for the other, 2
    for a tie; one number is for all."""
    names = ("novelty", "significance", "feasibility", "clarity", "effectiveness")
    every = better if len(better) > 1 else better * 5
    return {
        name: {"why": why, "better": ("first", "second", "tie")[n]}
        for name, n in zip(names, every, strict=True)
    }


def _verdicts(h: str, v: Mapping[str, Any]) -> dict[str, Any]:
    rows = [
        {
            "id": p["id"],
            "on_topic": True,
            "reason": f"reason {h}",
            "claims": claim_rows(v, p, "not close"),
        }
        for p in v["papers"]
    ]
    return {"verdicts": rows}


ANGLES = ("own words", "other words", "other field", "opposite")
CLAIM_KINDS = ("mechanism", "problem", "why it works", "setting")


def _claims(h: str, v: Mapping[str, Any]) -> dict[str, Any]:
    """As many claims as are asked for, each with a search phrase that begins with ``novelty``."""
    return {
        "claims": [
            {"kind": CLAIM_KINDS[n % 4], "text": f"claim {n} {h}", "queries": [f"novelty {n} {h}"]}
            for n in range(int(v["count"]))
        ]
    }


def claim_rows(
    v: Mapping[str, Any], paper: Mapping[str, Any], verdict: str
) -> list[dict[str, Any]]:
    """What a paper is to say of each claim, so that this verdict follows: its title stands for the
    passage."""
    words = {"close match": "same", "partial": "overlaps", "not close": "different"}
    rows = [
        {"claim": n, "passage": paper["title"], "judgement": words[verdict]}
        for n in range(1, len(v["claims"]) + 1)
    ]
    return (
        rows
        if verdict != "partial"
        else [
            rows[0],
            *({**row, "passage": "", "judgement": "no passage found"} for row in rows[1:]),
        ]
    )


def _seed(h: str, n: int, **more: Any) -> dict[str, Any]:
    return {
        "thinking": f"thinking {n} {h}",
        "title": f"seed {n} {h}",
        "text": f"text {n} {h}",
        **more,
    }


FITS: dict[str, Any] = {"topic": 2, "kinship": 2, "link": "same problem"}
_OWN = ("clarity", "feasibility", "novelty")
_ABSTRACT = ("title", "introduction", "objective", "methods", "results", "conclusion")
_MARKS = (
    "clarity",
    "relevance",
    "structure",
    "conciseness",
    "accuracy",
    "engagement",
    "originality",
    "overall",
)
_PLAN = ("decisive", "rival", "design", "baselines", "metrics", "effort")
_IDEA = ("title", "summary", "final", "problem", "mechanism", "evaluation", "setting")


def _plan(h: str) -> dict[str, Any]:
    claims = [{"claim": f"claim {n} {h}", "refuted_if": f"result {n} {h}"} for n in (1, 2)]
    return {"claims": claims, **_text(*_PLAN)(h, {}), "references": []}


_REPLIES: dict[str, Callable[[str, Mapping[str, Any]], dict[str, Any]]] = {
    "coi_questions": lambda h, v: {
        "questions": [f"question {n} {h}" for n in range(int(v["count"]))]
    },
    "coi_rewrite": _text("query"),
    "coi_relevances": lambda h, v: {
        "verdicts": [{"id": c["id"], "reasoning": f"useful {h}.", **FITS} for c in v["candidates"]]
    },
    "coi_read": _card,
    "coi_trend": lambda h, v: {"linked": True, "text": f"text {h}"},
    "coi_direction": _text("text", "note"),
    "coi_idea": _text("title", "text"),
    "coi_final_idea": lambda h, v: {"faults": [f"fault {h}"], **_text(*_IDEA)(h, v)},
    "coi_rivals": lambda h, v: {"works": [], "phrases": [f"near {h}"]},
    "coi_novelty_queries": _claims,
    "coi_novelty_verdicts": _verdicts,
    "coi_search_against": lambda h, v: {
        "queries": [
            {"angle": ANGLES[n % 4], "query": f"against {n} {h}"} for n in range(int(v["count"]))
        ]
    },
    "coi_match": _match,
    "coi_experiment": lambda h, v: _plan(h),
    "coi_review": lambda h, v: {
        "points": [
            {"part": "design", "point": f"point {n} {h}", "search": f"search {n} {h}"}
            for n in (1, 2)
        ],
        "scores": {"decisive": 6, "sound": 6, "feasible": 6},
    },
    "coi_ask": lambda h, v: {
        "text": "".join(f"## {part['name']}\n" for part in v["parts"][:1]) + f"as asked {h}"
    },
    "coi_facts": lambda h, v: {"facts": [f"fact {h}"]},
    "scipip_background": lambda h, v: {
        "text": f"background {h}",
        "queries": [f"query {n} {h}" for n in (1, 2)],
    },
    "scipip_brainstorm": lambda h, v: {"directions": [f"direction {n} {h}" for n in range(4)]},
    "scipip_entities": lambda h, v: {
        "entities": [{"text": t["id"], "name": f"thing {t['id']}", "also": []} for t in v["texts"]]
    },
    "scipip_problem": lambda h, v: {"text": f"problem {h}", "reasons": [f"reason {h}"]},
    "scipip_ideas": lambda h, v: {"ideas": [f"idea {n} {h}" for n in range(10)]},
    "scipip_inspiration": lambda h, v: {"inspiration": f"inspiration {h}"},
    "scipip_filter": lambda h, v: {
        "judged": [
            {"id": one["id"], "reason": f"reason {h}", "keep": n < 6}
            for n, one in enumerate(v["ideas"])
        ]
    },
    "scipip_improve": lambda h, v: {
        "ideas": [
            {"sources": [one["id"]], "title": f"better {h}", "text": f"{one['text']} better"}
            for one in v["ideas"][: v["count"]]
        ]
    },
    "scipip_detail": _text(*_IDEA),
    "nova_trends": _text("text"),
    "nova_theory_ideas": lambda h, v: {
        "ideas": [
            _seed(h, n, theory=v["theories"][n % len(v["theories"])]["number"])
            for n in range(v["count"])
        ]
    },
    "nova_trend_ideas": lambda h, v: {"ideas": [_seed(h, n) for n in range(v["count"])]},
    "nova_gap_ideas": lambda h, v: {"ideas": [_seed(h, n) for n in range(v["count"])]},
    "nova_weigh": lambda h, v: {
        "judged": [
            {
                "id": d["id"],
                "pros": f"good {h}",
                "cons": f"bad {h}",
                "repeats": "",
                "score": 9 - n % 9,
            }
            for n, d in enumerate(v["drafts"])
        ]
    },
    "nova_plan": lambda h, v: {
        "lines": [
            {
                "thinking": f"think {n}",
                "title": f"field {n} {h}",
                "keywords": f"words {n}",
                "rationale": f"why {n}",
            }
            for n in range(v["count"])
        ]
    },
    "nova_new_seeds": lambda h, v: {
        "ideas": [_seed(h, n, papers=[p["id"] for p in v["papers"]][:2]) for n in range(v["count"])]
    },
    "nova_initial": _text("name", "problem", "existing", "motivation", "method", "experiment"),
    "nova_modules": lambda h, v: {
        "modules": [{"name": f"module {n} {h}", "role": f"role {n}"} for n in (1, 2)]
    },
    "nova_module": lambda h, v: {"text": f"{v['module']['name']} worked out {h}"},
    "nova_proposal": _text(*_IDEA),
    "coi_proposal": _text("title", "text"),
    "one_call": lambda h, v: {**_text(*_IDEA)(h, v), "works": [f"work {h}"], **_plan(h)},
    "imitate_split": lambda h, v: {
        **_text("algorithm", "application", "algorithm_query", "application_query")(h, v),
        "constraints": [f"constraint {h}"],
    },
    "imitate_pairs": lambda h, v: {
        "pairs": [
            {"id": one, "reason": f"reason {h}", "score": 9 - n % 9}
            for n, one in enumerate(v["pairs"])
        ]
    },
    "imitate_outline": lambda h, v: {
        "parts": [
            {"number": str(n), "title": f"part {n} {h}", "summary": f"summary {n} {h}"}
            for n in (1, 2, 3)
        ]
    },
    "imitate_plan": lambda h, v: {
        "steps": [
            {"title": f"Step {n} {h}", "purpose": f"purpose {n} {h}", "like": "AB"[n % 2] + "2"}
            for n in range(1, v["count"] + 1)
        ]
    },
    "imitate_evidence": lambda h, v: {
        "ranges": [
            {"source": t["id"], "shows": f"shows {h}", "first": 1, "last": 1}
            for t in (*v["papers"], *v["sections"])
        ]
    },
    "imitate_step": lambda h, v: {
        "why": f"why {h}",
        "change": True,
        "title": v["step"]["title"],
        "purpose": f"revised purpose {h}",
        "weak": "",
    },
    "imitate_section": lambda h, v: {"text": f"The section {h} rests on a passage [P1]."},
    "imitate_later": lambda h, v: {
        "why": f"why {h}",
        "change": True,
        "title": v["step"]["title"],
        "purpose": f"later purpose {h}",
    },
    "imitate_review": lambda h, v: {
        **_text("summary", "soundness", "presentation", "contribution")(h, v),
        "strengths": [],
        "weaknesses": [],
        "questions": [],
        "points": [
            {"section": v["sections"][n - 1]["number"], "point": f"point {n} {h}"} for n in (1, 2)
        ],
        "rating": 6,
    },
    "imitate_point": lambda h, v: {"change": f"change {h}", "rebuttal": ""},
    "imitate_revise": lambda h, v: {"text": f"The revised section {h} rests on a passage [P1]."},
    "imitate_head": _text(*_IDEA),
    "virsci_invite": lambda h, v: {"reason": f"reason {h}", "answer": "join"},
    "virsci_topic": lambda h, v: {"text": f"reply {h}", "guest": None},
    "virsci_guest": _text("text"),
    "virsci_summary": lambda h, v: {**_text("text", "why")(h, v), "enough": False},
    "virsci_subject": _text("text"),
    "virsci_idea": lambda h, v: {
        **_text("title", "idea", "experiment")(h, v),
        **{name: int(h[n], 16) % 10 + 1 for n, name in enumerate(_OWN)},
    },
    "virsci_vote": lambda h, v: {
        "reason": f"reason {h}",
        "choice": "ABC"[int(h[0], 16) % len(v["ideas"])],
    },
    "virsci_abstract": _text(*_ABSTRACT),
    "virsci_revise": lambda h, v: {
        **_text("changes", *_ABSTRACT)(h, v),
        "scores": dict.fromkeys(_MARKS, 6),
        "enough": False,
    },
    "virsci_overlap": lambda h, v: {
        "scores": [{"id": p["id"], "reason": f"reason {h}", "score": 30} for p in v["papers"]]
    },
    "coi_refine": lambda h, v: {
        **_plan(h),
        "answers": [
            {"point": n, "change": f"change {n} {h}"} for n in range(1, len(v["points"]) + 1)
        ],
    },
}


class HashModel(ScriptedModel):
    """``say`` overrides single prompts: a function from the request to a dictionary, a raw text, or
    an exception.

    ``delay`` gives each request its own latency in seconds.
    """

    def __init__(
        self,
        say: Mapping[str, Say] | None = None,
        delay: Callable[[ChatRequest], float] | None = None,
    ) -> None:
        super().__init__(self._say)
        self.say = dict(say or {})
        self.delay = delay

    def _say(self, request: ChatRequest) -> Any:
        own = self.say.get(request.prompt)
        if own is None and request.prompt == "coi_relevances" and "coi_relevance" in self.say:
            return self._one_by_one(request)
        return own(request) if own else reply_to(request)

    def _one_by_one(self, request: ChatRequest) -> Any:
        """Verdicts on several candidates, each as the test says it of one: relevant or not, or
        grades; an unreadable one is left out."""
        verdicts: list[dict[str, Any]] = []
        shown: Any = request.values["candidates"]
        for candidate in shown:
            values = {**request.values, **candidate}
            said = self.say["coi_relevance"](
                dataclasses.replace(request, prompt="coi_relevance", values=values)
            )
            if isinstance(said, Mapping):
                grades = (
                    {**FITS, "topic": 2 if said["relevant"] else 0} if "relevant" in said else {}
                )
                verdicts.append({"id": candidate["id"], **grades, **said})
        return {"verdicts": verdicts}

    async def complete(self, request: ChatRequest) -> ChatReply:
        if self.delay is not None:
            await asyncio.sleep(self.delay(request))
        return await super().complete(request)

    @property
    def sent(self) -> list[str]:
        """Names of the prompts sent, in order."""
        return [r.prompt for r in self.requests]

    def of(self, prompt: str) -> list[ChatRequest]:
        return [r for r in self.requests if r.prompt == prompt]


MAIN, READER = "my-main", "my-reader"


class PricedModel(HashModel):
    """A model as a server has one, which is paid for: each answer is charged as the longest that
    its request allows."""

    kind: Kind = "model"

    def model_for(self, role: str) -> str:
        return READER if role == "reader" else MAIN

    async def complete(self, request: ChatRequest) -> ChatReply:
        return dataclasses.replace(
            await super().complete(request), completion_tokens=request.max_tokens
        )


def relevant_unless(*titles: str) -> Say:
    """A relevance verdict that refuses papers by title."""
    return lambda request: {
        "reasoning": f"verdict {shown(request)}",
        "relevant": request.values["title"] not in titles,
    }


def close_match(request: ChatRequest) -> dict[str, Any]:
    """The reply of a novelty check to which every paper is a close match."""
    v: Any = request.values
    rows = [
        {
            "id": p["id"],
            "reason": f"the same as {p['title']}",
            "claims": claim_rows(v, p, "close match"),
        }
        for p in v["papers"]
    ]
    return {"verdicts": rows}


def verdicts(*words: str) -> Say:
    """Novelty replies from which verdicts follow that go round these words."""

    def say(request: ChatRequest) -> dict[str, Any]:
        v: Any = request.values
        rows = [
            {"id": p["id"], "reason": "r", "claims": claim_rows(v, p, words[n % len(words)])}
            for n, p in enumerate(v["papers"])
        ]
        return {"verdicts": rows}

    return say
