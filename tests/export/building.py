"""Sessions for the tests, folded from entries made by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from coi_tui.arena import CRITERIA, Standing
from coi_tui.model.calls import Call
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.fold import fold
from coi_tui.model.papers import Citations, Paper
from coi_tui.model.state import State
from coi_tui.present.formats.md import markdown
from coi_tui.present.snapshot import WITH_APPENDIX, SessionSnapshot

DATE = "2026-11-20T10:00:00Z"
RECIPE = {
    "step": "idea",
    "prompt": "coi_idea",
    "version": "1",
    "hash": "abcdef0123456789",
    "model": "big",
    "served": "big-2026",
    "overridden": False,
}


def paper(key: str, title: str, year: int | None, *authors: str, **more: Any) -> Paper:
    known = {
        "ids": {"arXiv": key},
        "venue": "NeurIPS",
        "abstract": "About it.",
        "source": "starter library",
    }
    return Paper(id=f"arXiv:{key}", title=title, year=year, authors=authors, **{**known, **more})


COT = paper(
    "2201.11903",
    "Chain-of-Thought Prompting Elicits Reasoning",
    2022,
    "Jason Wei",
    "Xuezhi Wang",
    published="2022-01",
    citations=Citations(count=9000, source="Semantic Scholar", read="2026-11-20"),
)
SCRATCH = paper(
    "2112.00114", "Show Your Work: Scratchpads for Intermediate Computation", 2021, "Maxwell Nye"
)
TREE = paper("2305.10601", "Tree of Thoughts", 2023, "Shunyu Yao", "Dian Yu")
GRAPH = paper("2308.09687", "Graph of Thoughts: Solving Elaborate Problems", 2023, "Maciej Besta")
LEAST = paper("2205.10625", "Least-to-Most Prompting", 2022, "Denny Zhou")
CHECKER = paper("2305.20050", "Let's Verify Step by Step", 2023, "Hunter Lightman")
PAPERS = {p.id: p for p in (COT, SCRATCH, TREE, GRAPH, LEAST, CHECKER)}


def whole(snapshot: SessionSnapshot) -> str:
    """The proposal with its appendix."""
    return markdown(snapshot, WITH_APPENDIX)


def section(text: str, head: str) -> str:
    """A part of a proposal, from its heading to the next of its level or of a higher one; a part of
    the appendix by its title alone."""
    found = re.search(
        rf"^(##|### A\.\d+) {re.escape(head)}\n(.*?)(?=^## |^### A\.|\Z)",
        text,
        re.MULTILINE | re.DOTALL,
    )
    assert found, head
    return found[2]


def chosen(state: State, standings: Sequence[Standing]) -> int | None:
    """The branch to tell about: the person's pick, else the leader of the matches, else the only
    idea."""
    if state.pick is not None:
        return int(state.pick)
    if standings:
        return int(standings[0].player)
    ideas = [b for b in state.branches if state.in_use(f"{b}/idea") is not None]
    return int(ideas[0]) if len(ideas) == 1 else None


class Builder:
    """Adds entries one after the other and folds them."""

    def __init__(self, papers: dict[str, Paper] | None = None) -> None:
        self.papers = dict(PAPERS if papers is None else papers)
        self.entries: list[Decision | Version] = []

    def decide(
        self,
        action: str,
        address: str,
        actor: str = "you",
        reason: str = "",
        value: dict[str, Any] | None = None,
        **more: Any,
    ) -> int:
        seq = len(self.entries) + 1
        fields = {
            "seq": seq,
            "time": DATE,
            "actor": actor,
            "action": action,
            "address": address,
            "value": {**(value or {}), **more},
            "reason": reason,
            "group": f"g{seq}",
        }
        self.entries.append(Decision.model_validate(fields))
        return seq

    def undo(self, seq: int) -> None:
        self.decide("undo", "session")
        self.entries[-1] = self.entries[-1].model_copy(update={"undoes": f"g{seq}"})

    def text(
        self, address: str, content: dict[str, Any], origin: str = "model", **more: Any
    ) -> int:
        seq = len(self.entries) + 1
        own = origin in ("person", "merged")
        fields = {
            "seq": seq,
            "time": DATE,
            "actor": "you" if own else "coi",
            "address": address,
            "content": content,
            "meanings": meanings_of(content),
            "origin": origin,
            "recipe": {} if own or origin == "source" else RECIPE,
            **more,
        }
        self.entries.append(Version.model_validate(fields))
        if own:
            self.decide("edit", address, version=seq)
        return seq

    def place(self, address: str, paper_id: str, **why: Any) -> None:
        self.decide("propose", address, actor="coi", paper=paper_id, why=why)

    def subject(self, **more: Any) -> SessionSnapshot:
        state = fold(self.entries, self.papers)
        lines: list[Standing] = list(more.pop("standings", ()))
        decisions = [e for e in self.entries if isinstance(e, Decision)]
        fields: dict[str, Any] = {
            "name": "chains",
            "method": "Chain of Ideas",
            "exported_at": DATE,
            "standings": lines,
            "decisions": decisions,
            "branch": chosen(state, lines),
            "fresh": dict.fromkeys(state.cells, "fresh"),
        }
        fields |= more
        return SessionSnapshot(state=state, **fields)


def anchor_why(**more: Any) -> dict[str, Any]:
    return {
        "rank": 1,
        "of": 6,
        "score": 0.8123,
        "ranked": "ranked locally",
        "question": 1,
        "query": "chain of thought",
        "source": "starter library",
        "date": DATE,
        "cands": 3,
        **more,
    }


def side_why(neighbour: Paper, **more: Any) -> dict[str, Any]:
    return {
        "rank": 2,
        "of": 9,
        "score": 0.5,
        "ranked": "ranked locally",
        "by": "likeness",
        "link": "cites",
        "neighbour": neighbour.id,
        "evidence": "starter library: checked in ../shared/data",
        "source": "starter library",
        "reasoning": "It widens the chain.",
        "grades": "topic 3, kinship 2: builds on",
        **more,
    }


def card(**more: Any) -> dict[str, Any]:
    texts = {"move": "Steps are written out before the answer.", "limits": "Long chains drift."}
    return {**texts, "source": "abstract", **more}


def idea(title: str = "Evidence-gated chains", **more: Any) -> dict[str, Any]:
    return {
        "title": title,
        "summary": "Each step is gated.",
        "final": "Let a verifier gate each step of a search over thoughts. No earlier work gates single steps.",
        "problem": "“Tree of Thoughts” searches, but does not check.\n\nSo errors spread.",
        "mechanism": "Start from Tree of Thoughts.\n1. Diagnose.\n2. Gate.",
        "evaluation": "Count the chains that drift.",
        "setting": "Chains of more than five steps.",
        "works": ["Tree of Thoughts"],
        "origin": "From the open limitation of the anchor.",
        **more,
    }


def plan(**more: Any) -> dict[str, Any]:
    return {
        "claims": [
            {
                "name": "A gate finds drift.",
                "description": "refuted if chains drift as often with it",
            }
        ],
        "decisive": "Gate twenty chains by hand.",
        "rival": "Ask for a shorter chain.",
        "design": "Compare gated with ungated search.",
        "baselines": "- Tree of Thoughts\n- Chain of Thought",
        "metrics": "Accuracy.",
        "effort": "Two weeks.",
        "references": ["Tree of Thoughts", "Gates for Everything: A Survey That Nobody Wrote"],
        **more,
    }


def search(
    query: str = "step verification", hits: int = 2, result: str = "ok", **more: Any
) -> dict[str, Any]:
    return {
        "query": query,
        "source": "starter library",
        "date": DATE,
        "hits": hits,
        "outcome": result,
        "note": "",
        **more,
    }


def row(found: Paper, verdict: str, **more: Any) -> dict[str, Any]:
    return {
        "paper": found.id,
        "verdict": verdict,
        "overlap": "method",
        "reason": "It checks steps after the fact.",
        "found_by": ["step verification"],
        "new": False,
        **more,
    }


def report(
    rows: list[dict[str, Any]],
    searches: list[dict[str, Any]],
    verdict: str,
    idea_seq: int = 0,
    **more: Any,
) -> dict[str, Any]:
    judged = [found for found in rows if found["verdict"] != "not judged"]
    return {
        "verdict": verdict,
        "why": "",
        "searches": searches,
        "papers": rows,
        "judged": len(judged),
        "summary": "One paper overlaps.",
        "idea": f"v{idea_seq}" if idea_seq else "",
        **more,
    }


def match(i: int, j: int) -> dict[str, Any]:
    """Idea ``i`` wins all criteria in both orders, but clarity, which flips."""
    straight = dict.fromkeys(CRITERIA, 0)
    swapped = {**dict.fromkeys(CRITERIA, 1), "clarity": 0}
    results = {**dict.fromkeys(CRITERIA, i), "clarity": 0}
    return {"first": i, "second": j, "straight": straight, "swapped": swapped, "results": results}


def standings() -> list[Standing]:
    return [
        Standing(1, 4.5, 5, dict.fromkeys(CRITERIA, 1016.0), 1012.8, 1.5),
        Standing(2, 0.5, 5, dict.fromkeys(CRITERIA, 984.0), 987.2, 0.5),
    ]


def calls() -> list[Call]:
    asked = {"version": "1", "prompt_hash": "abcdef0123456789", "user": "SECRET PROMPT TEXT"}
    one = {
        "kind": "chat",
        "prompt": "coi_idea",
        "model_asked": "big",
        "model_served": "big-2026",
        "prompt_tokens": 1000,
        "completion_tokens": 200,
    }
    return [
        Call.model_validate({**one, "key": "a", "cost_usd": 0.0125, "request": asked}),
        Call.model_validate({**one, "key": "b", "cost_usd": None, "request": asked}),
        Call(key="c", kind="http"),
    ]


def chain_of_three(b: Builder, origin: str = "model") -> None:
    """Topic, question, a chain of three with cards and trends; the first trend is a person's."""
    b.decide("settings", "session", actor="you", branches=2, length=5, minimum=3)
    b.text("topic", {"text": "Reasoning of language models", "hunch": "PRIVATE HUNCH"}, "person")
    b.text("Q1", {"text": "How do chains of thought fail?", "note": ""}, origin)
    b.place("1/0", COT.id, **anchor_why())
    b.decide("accept", "1/0", paper=COT.id, reason="the classic")
    b.place(
        "1/-1",
        SCRATCH.id,
        **side_why(
            COT, link="cites, unconfirmed", evidence="starter library: not checked in a source"
        ),
    )
    b.place("1/+1", TREE.id, **side_why(COT))
    for place in ("-1", "0", "+1"):
        b.text(f"1/{place}.card", card(source="full text" if place == "0" else "abstract"), origin)
    b.text("1/-1..0", {"text": "From scratchpads to prompts, in my words."}, "person")
    b.text("1/0..+1", {"text": "From one chain to a tree."}, origin)
    b.text("1/dir", {"text": "Gate each step.", "note": "By reflection."}, origin)


def full(origin: str = "model") -> tuple[Builder, dict[str, Any]]:
    """A finished session of two branches; with the keyword arguments for its subject."""
    b = Builder()
    chain_of_three(b, origin)
    seq = b.text("1/idea", idea(), origin)
    rows = [
        row(CHECKER, "partial"),
        row(LEAST, "not close", new=True),
        row(GRAPH, "not judged", reason="There is no abstract to compare with."),
    ]
    b.text("1/nov", report(rows, [search(), search("gated search", 1)], "partial", seq), origin)
    b.text("Q2", {"text": "How can thoughts be searched?", "note": ""}, origin)
    b.place("2/0", GRAPH.id, **anchor_why(question=2, query="graph of thoughts"))
    b.text(
        "2/idea", idea("Graphs that forget", final="Prune the graph of thoughts by age."), origin
    )
    b.text(
        "2/nov",
        report(
            [],
            [search(hits=0, result="empty")],
            "INCONCLUSIVE",
            why="The searches found nothing that could be compared.",
        ),
        origin,
    )
    b.text("A/1-2", match(1, 2), origin)
    first = b.text("1/exp", plan(), origin)
    points = [
        {"n": 1, "part": "metrics", "point": "Name a measure of cost"},
        {"n": 2, "part": "design", "point": "Say how many seeds"},
        {"n": 3, "part": "baselines", "point": "Add a human baseline"},
    ]
    review = b.text("1/review", {"points": points, "of": first}, origin)
    b.decide("dismiss", "1/review", version=review, point=3, reason="out of reach for us")
    answers = [{"point": 1, "change": "Added tokens per item to the metrics."}]
    b.text(
        "1/exp",
        plan(metrics="Accuracy; tokens per item.", answers=answers),
        origin,
        parents=(first,),
        recipe={**RECIPE, "prompt": "coi_refine", "review": review},
    )
    more = {
        "standings": standings(),
        "calls": calls(),
    }
    return b, more


HOSTILE = "[x](javascript:alert(1)) `b` a|b <script>alert(1)</script> **bold** \n# head"


def hostile() -> SessionSnapshot:
    """A session whose every text from outside would be markup."""
    evil = paper(
        "2201.11903",
        HOSTILE,
        2022,
        HOSTILE,
        venue=HOSTILE,
        ids={"arXiv": "2201.11903](javascript:1)", "DOI": "10.1/a)b(c"},
    )
    b = Builder({evil.id: evil})
    b.text("topic", {"text": f"# {HOSTILE}"}, "person")
    b.text("Q1", {"text": f"- {HOSTILE}", "note": HOSTILE})
    b.place("1/0", evil.id, **anchor_why(query=HOSTILE, source=HOSTILE, ranked=HOSTILE))
    b.text("1/0.card", card(move=HOSTILE, limits=HOSTILE, source=HOSTILE, note=HOSTILE))
    b.text("1/dir", {"text": f"# {HOSTILE}\n\n- {HOSTILE}", "note": HOSTILE})
    b.text("1/idea", {k: [HOSTILE] * 3 if k == "works" else HOSTILE for k in idea()})
    rows = [row(evil, "partial", overlap=HOSTILE, reason=HOSTILE)]
    searches = [search(HOSTILE, note=HOSTILE, source=HOSTILE)]
    b.text("1/nov", report(rows, searches, "partial", summary=HOSTILE))
    listed = {"references": [HOSTILE], "claims": [{"name": HOSTILE, "description": HOSTILE}]}
    first = b.text("1/exp", {k: listed.get(k, HOSTILE) for k in plan()})
    b.text("1/review", {"points": [{"n": 1, "part": HOSTILE, "point": HOSTILE}], "of": first})
    b.decide("accept", "1/0", paper=evil.id, reason=HOSTILE)
    return b.subject(name=HOSTILE, method=HOSTILE, failures={"1/+1.cands": HOSTILE})
