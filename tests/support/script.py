"""A model whose every reply is a hash of the values it was shown, so that equal inputs give equal
texts and no others do."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from coi_tui.model.text import digest
from coi_tui.services.llm.chat import ChatReply, ChatRequest, Kind, estimate_tokens

Say = Callable[[ChatRequest], Any]


def shown(request: ChatRequest) -> str:
    """The hash of everything a request shows to the model."""
    return digest([request.prompt, dict(request.values)])[:12]


def reply_to(request: ChatRequest) -> dict[str, Any]:
    """A reply that fits the schema of the prompt, made from the hash alone: each text that it must
    have is its field's name and the hash, numbered in lists."""
    h, v = shown(request), request.values
    reply: dict[str, Any] = _filled(request, request.schema, "", h)
    own = _OWN.get(request.prompt)
    return {**reply, **own(h, v)} if own else reply


def _filled(request: ChatRequest, node: Mapping[str, Any], name: str, h: str) -> Any:
    if "anyOf" in node:
        node = node["anyOf"][0]
    if "$ref" in node:
        node = request.schema["$defs"][node["$ref"].rpartition("/")[2]]
    match node.get("type"):
        case "object":
            wanted = node.get("required", ())
            return {one: _filled(request, node["properties"][one], one, h) for one in wanted}
        case "array":
            each = f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")
            some = range(int(str(request.values.get("count", 2))))
            return [_filled(request, node["items"], each, f"{n} {h}") for n in some]
        case "integer":
            return 6
        case "boolean":
            return True
    return node["enum"][0] if "enum" in node else f"{name} {h}"


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
    return rows[:1] if verdict == "partial" else rows


def _seed(h: str, n: int, **more: Any) -> dict[str, Any]:
    return {
        "thinking": f"thinking {n} {h}",
        "title": f"seed {n} {h}",
        "text": f"text {n} {h}",
        **more,
    }


FITS: dict[str, Any] = {"topic": 2, "kinship": 2, "link": "same problem"}


def _seeds(h: str, v: Mapping[str, Any]) -> dict[str, Any]:
    return {"ideas": [_seed(h, n) for n in range(v["count"])]}


def _changed(h: str, v: Mapping[str, Any]) -> dict[str, Any]:
    return {"step": {"name": v["step"]["name"], "description": f"revised purpose {h}"}}


def _cited(h: str, _v: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": f"The section {h} rests on a passage [P1]."}


SKETCH = ("title", "sentence", "users", "how", "nearest", "left", "refuted")


def _sketches(h: str, v: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "sketches": [
            {name: f"{name} {n} {h}" for name in SKETCH} for n in range(1, int(v["number"]) + 1)
        ]
    }


def _order(h: str, v: Mapping[str, Any]) -> dict[str, Any]:
    """Best first by the hash of what each says, wherever it is shown."""
    rows = {row["id"]: digest({name: row[name] for name in SKETCH}) for row in v["sketches"]}
    return {
        "order": sorted(rows, key=lambda label: rows[label]),
        "why_first": f"first {h}",
        "why_last": f"last {h}",
    }


def plan_claims(h: str) -> list[dict[str, str]]:
    """Claims of a plan as they are to be: with a measure, a comparison and a threshold."""
    return [
        {"claim": f"claim {n} {h} beats it by {n + 1}", "refuted_if": f"refuted_if {n} {h}"}
        for n in range(2)
    ]


_OWN: dict[str, Callable[[str, Mapping[str, Any]], dict[str, Any]]] = {
    "sketches": _sketches,
    "sketch_ranking": _order,
    "coi_relevances": lambda h, v: {
        "verdicts": [{"id": c["id"], "reasoning": f"useful {h}.", **FITS} for c in v["candidates"]]
    },
    "coi_rivals": lambda h, v: {"works": [], "phrases": [f"near {h}"]},
    "coi_novelty_queries": _claims,
    "coi_novelty_verdicts": _verdicts,
    "coi_search_against": lambda h, v: {
        "queries": [
            {"angle": ANGLES[n % 4], "query": f"against {n} {h}"} for n in range(int(v["count"]))
        ]
    },
    "coi_match": _match,
    "coi_experiment": lambda h, v: {"claims": plan_claims(h)},
    "coi_review": lambda h, v: {
        "points": [
            {"part": "design", "point": f"point {n} {h}", "search": f"search {n} {h}"}
            for n in (1, 2)
        ],
        "scores": {"decisive": 6, "sound": 6, "feasible": 6},
    },
    "coi_refine": lambda h, v: {
        "answers": [
            {"point": n, "change": f"change {n} {h}"} for n in range(1, len(v["points"]) + 1)
        ],
        "claims": plan_claims(h),
    },
    "coi_ask": lambda h, v: {
        "text": "".join(f"## {part['name']}\n" for part in v["parts"][:1]) + f"as asked {h}"
    },
    "scipip_entities": lambda h, v: {
        "entities": [{"text": t["id"], "name": f"thing {t['id']}"} for t in v["texts"]]
    },
    "scipip_brainstorm": lambda h, v: {"directions": [f"direction {n} {h}" for n in range(4)]},
    "scipip_problem": lambda h, v: {"text": f"problem {h}"},
    "scipip_ideas": lambda h, v: {"ideas": [f"idea {n} {h}" for n in range(10)]},
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
    "nova_theory_ideas": lambda h, v: {
        "ideas": [
            _seed(h, n, theory=v["theories"][n % len(v["theories"])]["number"])
            for n in range(v["count"])
        ]
    },
    "nova_trend_ideas": _seeds,
    "nova_gap_ideas": _seeds,
    "nova_weigh": lambda h, v: {
        "judged": [
            {"id": d["id"], "pros": f"good {h}", "cons": f"bad {h}", "score": 9 - n % 9}
            for n, d in enumerate(v["drafts"])
        ]
    },
    "nova_plan": lambda h, v: {
        "items": [
            {
                "thinking": f"think {n}",
                "name": f"field {n} {h}",
                "description": f"words {n}",
                "rationale": f"why {n}",
            }
            for n in range(v["count"])
        ]
    },
    "nova_new_seeds": lambda h, v: {
        "ideas": [_seed(h, n, papers=[p["id"] for p in v["papers"]][:2]) for n in range(v["count"])]
    },
    "imitate_pairs": lambda h, v: {
        "pairs": [
            {"id": one, "reason": f"reason {h}", "score": 9 - n % 9}
            for n, one in enumerate(v["pairs"])
        ]
    },
    "imitate_outline": lambda h, v: {
        "parts": [{"name": f"{n} part {h}", "description": f"summary {n} {h}"} for n in (1, 2, 3)]
    },
    "imitate_plan": lambda h, v: {
        "steps": [
            {"name": f"Step {n} {h}", "description": f"purpose {n} {h}"}
            for n in range(1, v["count"] + 1)
        ]
    },
    "imitate_evidence": lambda h, v: {
        "ranges": [
            {"source": t["id"], "shows": f"shows {h}", "first": 1, "last": 1}
            for t in (*v["papers"], *v["sections"])
        ]
    },
    "imitate_step": _changed,
    "imitate_later": _changed,
    "imitate_section": _cited,
    "imitate_revise": lambda h, v: {"text": f"The revised section {h} rests on a passage [P1]."},
    "imitate_review": lambda h, v: {
        "points": [
            {"name": str(v["sections"][n - 1]["number"]), "description": f"point {n} {h}"}
            for n in (1, 2)
        ],
    },
    "virsci_idea": lambda h, v: {
        name: int(h[n], 16) % 10 + 1 for n, name in enumerate(("clarity", "feasibility", "novelty"))
    },
    "virsci_vote": lambda h, v: {
        "choice": max(v["ideas"], key=lambda one: str(one["title"]))["id"]
    },
    "virsci_overlap": lambda h, v: {
        "verdicts": [{"id": p["id"], "reason": f"reason {h}", "score": 30} for p in v["papers"]]
    },
}
"""What some replies hold beside: labels that must be those shown, and what must differ."""


class HashModel:
    """Answers each request; ``requests`` holds them all, in order. ``say`` overrides single prompts: a function from the request to a dictionary, a raw text, or
    an exception.

    ``delay`` gives each request its own latency in seconds.
    """

    kind: Kind = "scripted"

    def __init__(
        self,
        say: Mapping[str, Say] | None = None,
        delay: Callable[[ChatRequest], float] | None = None,
    ) -> None:
        self.requests: list[ChatRequest] = []
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
                replace(request, prompt="coi_relevance", values=values)
            )
            if isinstance(said, Mapping):
                grades = (
                    {**FITS, "topic": 2 if said["relevant"] else 0} if "relevant" in said else {}
                )
                verdicts.append({"id": candidate["id"], **grades, **said})
        return {"verdicts": verdicts}

    def model_for(self, role: str) -> str:
        return "scripted"

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        await asyncio.sleep(self.delay(request) if self.delay is not None else 0)
        said = self._say(request)
        if isinstance(said, Exception):
            raise said
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return replace(
            ChatReply.free(text, "scripted", "scripted"),
            prompt_tokens=estimate_tokens(request.prompt_chars()),
            completion_tokens=estimate_tokens(len(text)),
            usage_estimated=True,
        )

    async def aclose(self) -> None:
        return None

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
        return replace(await super().complete(request), completion_tokens=request.max_tokens)


def relevant_unless(*titles: str) -> Say:
    """A relevance verdict that refuses papers by title."""
    return lambda request: {
        "reasoning": f"verdict {shown(request)}",
        "relevant": request.values["title"] not in titles,
    }


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


close_match = verdicts("close match")
"""The reply of a novelty check to which every paper is a close match."""
