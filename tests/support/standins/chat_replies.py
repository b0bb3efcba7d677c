"""Makes the content of a model reply: walks the asked schema, fills texts from word lists, knows
the special fields."""

import hashlib
import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tests.support.standins import invented_text
from tests.support.standins.corpus import Corpus, topic_near
from tests.support.standins.settings import NOVELTY_MARKER, ChatOptions


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request wants: the rung it came by, the reply's name and its schema."""

    rung: str = "text"
    name: str = ""
    schema: dict[str, Any] | None = None


def message_texts(messages: Any) -> list[tuple[str, str]]:
    """Role and text of each message."""
    return [(str(m.get("role", "")), str(m.get("content") or "")) for m in messages or ()]


def asked(body: dict[str, Any], texts: list[tuple[str, str]]) -> Asked:
    """The schema of a request, by whichever way it was given."""
    form = body.get("response_format") or {"type": "text"}
    rung = str(form.get("type", "text"))
    if rung == "json_schema":
        given = form.get("json_schema") or {}
        return Asked(rung, str(given.get("name", "")), given.get("schema") or {})
    for _, text in sorted(texts, key=lambda pair: pair[0] != "system"):
        if (schema := find_schema(text)) is not None:
            return Asked(rung, schema=schema)
    return Asked(rung)


def find_schema(text: str) -> dict[str, Any] | None:
    """A schema for the last JSON object in a text, an empty skeleton of the reply."""
    found = None
    for start in (at.start() for at in re.finditer("{", text)):
        with suppress(ValueError):
            value, end = json.JSONDecoder().raw_decode(text, start)
            found = (value, end) if found is None or start >= found[1] else found
    return _form_of(found[0]) if found else None


def _form_of(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        fields = {name: _form_of(one) for name, one in value.items()}
        return {"type": "object", "properties": fields, "required": list(fields)}
    if isinstance(value, list):
        return {"type": "array", "items": _form_of(value[0] if value else "")}
    return {"type": {bool: "boolean", int: "integer"}.get(type(value), "string")}


TOKENS: dict[str, int] = {
    "Proposal.text": 460,
    "Card.problem": 44,
    "Card.move": 53,
    "Card.evidence": 44,
    "Card.use": 35,
    "LongCard.method": 175,
    "LongCard.experiment": 130,
    "Trend.text": 54,
    "Direction.text": 33,
    "Direction.note": 45,
    "Sketches.reasoning": 60,
    "Sketches.how": 40,
    "GroupReply.reasoning": 40,
    "WorkedOut.attack": 90,
    "Experiment.reasoning": 65,
    "RefinedExperiment.reasoning": 50,
    "Review.reasoning": 50,
    "Trend.reasoning": 35,
    "NoveltyVerdicts.summary": 40,
    "WorkedOut.final": 180,
    "Idea.reasoning": 90,
    "Idea.final": 180,
    "Experiment.decisive": 20,
    "Experiment.design": 47,
    "Experiment.effort": 33,
    **dict.fromkeys((f"RefinedExperiment.{p}" for p in ("decisive", "design", "effort")), 14),
    "Review.point": 30,
}
"""Length of each text field in tokens (characters / 4); others get 20.

Texts are as long, measured by the limits that their prompts state, as those of earlier prompts were
by what the recorded model wrote.
"""
COUNTS = {
    "LongCard.entities": 4,
    "Experiment.claims": 3,
    "IdeaAndPlan.claims": 3,
    "Experiment.references": 3,
    "Facts.facts": 4,
}
PARTS = ("decisive", "rival", "design", "baselines", "metrics", "effort")
POINTS = 3
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_HOW_MANY = re.compile(
    r"(?:count|number)\D{0,20}([1-5])\b"
    r"|\b([1-5]|one|two|three|four|five)\W+(?:[\w-]+\W+){0,4}?(?:questions|queries|phrases|searches|claims)\b"
    r"|(?:questions|queries|phrases)\W{1,3}([1-5])\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\bP\d+\b")
_SKETCHES = re.compile(r"^Task: write (\d+) sketches", re.MULTILINE)
_SKETCH = re.compile(r"^<<<sketch\n(S\d+): ", re.MULTILINE)
_CLAIMS = re.compile(r"^<<<claims\n(.*?)^claims>>>", re.MULTILINE | re.DOTALL)
_CLAIM_KINDS = ("mechanism", "problem", "why it works", "setting")
_PASSAGE_WORDS = 15


def how_many(texts: list[tuple[str, str]], default: int = 3) -> int:
    """How many questions or queries a prompt asks for: the user's message first."""
    for _, text in sorted(texts, key=lambda pair: pair[0] != "user"):
        found = _HOW_MANY.search(text)
        if found:
            word = next(group for group in found.groups() if group).lower()
            return _NUMBERS.get(word) or int(word)
    return default


class Writer:
    """Writes one reply. The same messages give the same text, others another."""

    def __init__(
        self, corpus: Corpus, options: ChatOptions, texts: list[tuple[str, str]], asked: Asked
    ) -> None:
        seed = hashlib.sha256(repr(texts).encode()).hexdigest()
        self.corpus, self.options, self.texts, self.asked = corpus, options, texts, asked
        self.rng = random.Random(seed)
        self.user = "\n".join(text for role, text in texts if role != "system")
        self.topic = topic_near(self.user)
        self.terms = invented_text.TOPICS[self.topic]
        self.special: dict[str, Callable[[], Any]] = {
            "Questions.questions": self._questions,
            "Rewrite.query": lambda: invented_text.phrase(self.rng, self.terms),
            "Relevances.verdicts": self._relevances,
            "Kinships.verdicts": self._relevances,
            "LongCard.references": self._card_references,
            "Sketches.sketches": self._sketches,
            "GroupReply.order": self._order,
            "WorkedOut.title": lambda: invented_text.title(self.rng, self.terms),
            "WorkedOut.works": self._titles,
            "Idea.title": lambda: invented_text.title(self.rng, self.terms),
            "Idea.works": self._titles,
            "Rivals.works": self._known_works,
            "Rivals.phrases": lambda: self._phrases("", 2),
            "NoveltyQueries.claims": self._claims,
            "NoveltyVerdicts.verdicts": self._verdicts,
            "Review.points": self._points,
            "RefinedExperiment.answers": self._answers,
            "Experiment.references": self._titles,
            **dict.fromkeys(("Experiment.claim", "IdeaAndPlan.claim"), self._plan_claim),
        }

    def _plan_claim(self) -> str:
        """A claim that can fail."""
        said = self._text("Experiment.claims")
        return f"{said.rstrip('.')}, by at least {self.rng.randrange(5, 30)} points."

    def _labelled(self, field: str, more: Callable[[str], dict[str, Any]]) -> list[dict[str, Any]]:
        """An item for each paper label of the user's message, with a text."""
        labels = dict.fromkeys(_LABEL.findall(self.user)) or ["P1"]
        name = field.partition(".")[2]
        return [{"id": label, name: self._text(field), **more(label)} for label in labels]

    def write(self) -> Any:
        """The reply as JSON data, or a text when no schema was given."""
        if self.asked.schema is None:
            return invented_text.prose(self.rng, self.terms, 600)
        return self._fill(self.asked.schema, "")

    def _key(self, name: str) -> str:
        """The name under which a field stands in the tables: a refined plan is a plan, and so is one
        with sources."""
        key = f"{self.asked.name}.{name}"
        plain = key.removeprefix("Refined").removeprefix("Sourced")
        plain = plain.removeprefix("Long") if plain.removeprefix("Long") in TOKENS else plain
        return key if key in TOKENS or key in self.special else plain

    def _fill(self, node: dict[str, Any], name: str) -> Any:
        """A value for a schema node; ``name`` is the field it stands in."""
        key = self._key(name)
        if key in self.special:
            return self.special[key]()
        node = self._resolve(node)
        if "const" in node or "enum" in node:
            return self.rng.choice([node["const"]] if "const" in node else node["enum"])
        match node.get("type"):
            case "object":
                return {
                    field: self._fill(sub, field)
                    for field, sub in node.get("properties", {}).items()
                }
            case "array":
                count = COUNTS.get(key, max(2, int(node.get("minItems", 0))))
                return [self._fill(node.get("items", {}), name) for _ in range(count)]
            case "boolean":
                return True
            case "integer" | "number":
                return max(1, int(node.get("minimum", 1)))
            case "null":
                return None
            case _:
                return self._text(key)

    def _resolve(self, node: dict[str, Any]) -> dict[str, Any]:
        """Follow references; of alternatives take the first that is not null."""
        while True:
            if "$ref" in node:
                node = (self.asked.schema or {})["$defs"][node["$ref"].rsplit("/", 1)[-1]]
            elif "anyOf" in node or "allOf" in node:
                options = node.get("anyOf") or node["allOf"]
                node = next(
                    (option for option in options if option.get("type") != "null"), options[0]
                )
            else:
                return node

    def _text(self, key: str) -> str:
        if key.endswith(".name"):
            return f"{self.rng.choice(invented_text.METHODS).title()} {self.rng.choice(self.terms)}"
        if key.endswith(".description"):
            return f"a {self.rng.choice(self.terms)} that {self.rng.choice(invented_text.VERBS)} the {self.rng.choice(self.terms)}"
        return invented_text.prose(
            self.rng, self.terms, round(TOKENS.get(key, 20) * 4 * self.options.length)
        )

    def _questions(self) -> list[str]:
        """The first is broad (the topic's own name), the rest on one aspect each."""
        return [self.topic, *self._phrases("", how_many(self.texts) - 1)]

    def _phrases(self, lead: str, count: int | None = None) -> list[str]:
        wanted = how_many(self.texts) if count is None else count
        return [invented_text.phrase(self.rng, self.terms, lead) for _ in range(wanted)]

    def _card_references(self) -> list[str]:
        """At most three real references of the paper named in the prompt, newest first."""
        paper = self.corpus.mentioned(self.user)
        return [] if paper is None else [cited.title for cited in self.corpus.references(paper)[:3]]

    def _titles(self) -> list[str]:
        """Titles of the corpus that stand in the prompt."""
        return [paper.title for paper in self.corpus.papers if paper.title in self.user][:3]

    def _relevances(self) -> list[dict[str, Any]]:
        kinship = {"kinship": 2, "link": "same problem"} if self.asked.name == "Kinships" else {}
        return self._labelled("Relevances.reasoning", lambda _: {"topic": 2, **kinship})

    def _known_works(self) -> list[dict[str, Any]]:
        """Three papers of the corpus with their years, and one that nobody wrote."""
        named = [(paper.title, paper.year) for paper in self.rng.sample(self.corpus.papers, 3)]
        invented = invented_text.title(self.rng, self.terms)
        named.append((f"{invented} on {self.rng.randrange(10_000)} moons", 2019))
        said = {"same": self._text("Rivals.same"), "left": self._text("Rivals.left")}
        return [{"title": title, "year": year, **said} for title, year in named]

    def _sketches(self) -> list[dict[str, str]]:
        """As many sketches as the task asks for; every other one names a paper of the corpus as the
        nearest, the others one that nobody wrote."""
        asked, texts = _SKETCHES.search(self.user), ("sentence", "users", "how", "left", "refuted")
        real = self.rng.sample(self.corpus.papers, 2)
        return [
            {
                "title": invented_text.title(self.rng, self.terms),
                "nearest": real[n // 2 % 2].title
                if n % 2
                else f"{invented_text.title(self.rng, self.terms)} on {n} moons",
                **{name: self._text(f"Sketches.{name}") for name in texts},
            }
            for n in range(int(asked[1]) if asked else 4)
        ]

    def _order(self) -> list[str]:
        """The sketches shown, in an order of its own."""
        labels = _SKETCH.findall(self.user)
        return self.rng.sample(labels, len(labels))

    def _claims(self) -> list[dict[str, Any]]:
        """As many claims as are asked for, each with two search phrases."""
        phrases = self._phrases(NOVELTY_MARKER)
        return [
            {
                "kind": _CLAIM_KINDS[n % len(_CLAIM_KINDS)],
                "text": self._text("NoveltyQueries.text"),
                "queries": [phrase, *self._phrases(NOVELTY_MARKER, 1)],
            }
            for n, phrase in enumerate(phrases)
        ]

    def _verdicts(self) -> list[dict[str, Any]]:
        """What each paper says of each claim of the user's message: nothing of it."""
        shown = _CLAIMS.search(self.user)
        count = shown.group(1).strip().count("\n") + 1 if shown else 2

        def claims(label: str) -> dict[str, Any]:
            found = {"passage": self._passage(label), "judgement": "different"}
            rows = [{"claim": n, **found} for n in range(1, count + 1)]
            return {"claims": rows}

        return self._labelled("NoveltyVerdicts.reason", claims)

    def _passage(self, label: str) -> str:
        """Words that stand in the abstract that the user's message shows under a label."""
        shown = re.search(rf"^<<<paper {label}\n[^\n]*\n([^\n]+)", self.user, re.MULTILINE)
        return " ".join(shown.group(1).split()[:_PASSAGE_WORDS]) if shown else ""

    def _points(self) -> list[dict[str, str]]:
        parts = self.rng.sample(PARTS, POINTS)
        phrases = self._phrases("", len(parts))
        return [
            {"part": part, "point": self._text("Review.point"), "search": one}
            for part, one in zip(parts, phrases, strict=True)
        ]

    def _answers(self) -> list[dict[str, Any]]:
        """One answer for each review point, as many as the review stand-in makes."""
        return [
            {"point": n + 1, "change": self._text("RefinedExperiment.change")}
            for n in range(POINTS)
        ]
