"""Sessions for the tests, folded from entries made by hand."""

import re
from typing import Any

from coi_tui.arena.ratings import CRITERIA
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.entries import Call, Decision, Version
from coi_tui.model.papers import Citations, Paper
from coi_tui.present.comparisons import arena
from coi_tui.present.formats.md import markdown
from coi_tui.present.snapshot import WITH_APPENDIX, SessionSnapshot
from tests.support.folding import fold
from tests.support.logs import decision, numbered, version

DATE = "2026-11-20T10:00:00Z"


def paper(key: str, title: str, year: int | None, *authors: str, **more: Any) -> Paper:
    known = {"ids": {"arXiv": key}, "venue": "NeurIPS", "abstract": "About it."}
    return Paper(id=f"arXiv:{key}", title=title, year=year, authors=authors, **{**known, **more})


COT = paper(
    "2201.11903",
    "Chain-of-Thought Prompting Elicits Reasoning",
    2022,
    "Jason Wei",
    "Xuezhi Wang",
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


class Builder:
    """Adds entries one after the other and folds them."""

    def __init__(self, papers: dict[str, Paper] | None = None) -> None:
        self.papers = dict(PAPERS if papers is None else papers)
        self.entries: list[Decision | Version] = []

    def decide(
        self, action: str, address: str, actor: str = "you", reason: str = "", **value: Any
    ) -> None:
        self.entries.append(decision(action, address, value, actor, reason=reason, time=DATE))

    def text(
        self, address: str, content: dict[str, Any], origin: str = "model", **more: Any
    ) -> int:
        """Add a version; that of a person is in use at once. Its number."""
        self.entries.append(version(address, content, origin, **more))
        seq = len(self.entries)
        if origin == "person":
            self.decide("edit", address, version=seq)
        return seq

    def place(self, address: str, paper: Paper, **why: Any) -> None:
        self.decide("propose", address, actor="coi", paper=paper.id, why=why)

    def subject(self, **more: Any) -> SessionSnapshot:
        log = numbered(self.entries)
        state = fold(log, self.papers)
        ideas = [b for b in state.branches if state.in_use(f"{b}/idea") is not None]
        standings = arena(state) if state.in_use("A/1-2") else []
        led = standings[0].player if standings else ideas[0] if len(ideas) == 1 else None
        fields: dict[str, Any] = {
            "name": "chains",
            "method": "Chain of Ideas",
            "exported_at": DATE,
            "standings": standings,
            "decisions": [e for e in log if isinstance(e, Decision)],
            "branch": state.pick or led,
            "calls": calls(),
            "fresh": dict.fromkeys(state.cells, "fresh"),
            "failures": {},
            "damage": (),
            "to_decide": 0,
            "methods": SessionMethods(),
            "own_keys": {},
        }
        return SessionSnapshot(state=state, **{**fields, **more})


def idea(**more: Any) -> dict[str, Any]:
    return {
        "title": "Evidence-gated chains",
        "summary": "Each step is gated.",
        "final": "Let a verifier gate each step of a search over thoughts.",
        "problem": "“Tree of Thoughts” searches, but does not check.\n\nSo errors spread.",
        "setting": "Chains of more than five steps.",
        "works": ["Tree of Thoughts"],
        **more,
    }


def plan(**more: Any) -> dict[str, Any]:
    return {
        "claims": [{"name": "A gate finds drift.", "description": "refuted if chains drift"}],
        "decisive": "Gate twenty chains by hand.",
        "rival": "Ask for a shorter chain.",
        "design": "Compare gated with ungated search.",
        "metrics": "Accuracy.",
        "effort": "Two weeks.",
        "references": ["Tree of Thoughts", "Gates for Everything: A Survey That Nobody Wrote"],
        **more,
    }


def report(verdict: str, *rows: tuple[Paper, str], **more: Any) -> dict[str, Any]:
    """A novelty report with so many papers, each with its verdict."""
    found = [{"paper": p.id, "verdict": v, "reason": "It checks later."} for p, v in rows]
    searched = {"query": "gated search", "source": "starter library", "hits": 2, "outcome": "ok"}
    return {"verdict": verdict, "searches": [searched], "papers": found, **more}


def calls() -> list[Call]:
    asked = {"version": "1", "prompt_hash": "abcdef0123456789", "user": "SECRET PROMPT TEXT"}
    one = {
        "kind": "chat",
        "prompt": "coi_idea",
        "model_asked": "big",
        "model_served": "big-2026",
        "prompt_tokens": 1000,
        "completion_tokens": 200,
        "request": asked,
    }
    return [
        Call.model_validate({**one, "key": "a", "cost_usd": 0.0125}),
        Call.model_validate({**one, "key": "b"}),
        Call(key="c", kind="http"),
    ]


def chain_of_three(origin: str = "model") -> Builder:
    """Topic, question, a chain of three with cards and trends, and an idea; the first trend is a
    person's."""
    b = Builder()
    b.decide("settings", "session", branches=2, length=5, minimum=3)
    b.text("topic", {"text": "Reasoning of language models", "hunch": "PRIVATE HUNCH"}, "person")
    b.text("Q1", {"text": "How do chains of thought fail?"}, origin)
    b.place("1/0", COT, rank=1, of=6, question=1)
    b.decide("accept", "1/0", paper=COT.id, reason="the classic")
    b.place("1/-1", SCRATCH, link="cites, unconfirmed")
    b.place("1/+1", TREE, link="cites", evidence="starter library")
    for place in ("-1", "0", "+1"):
        b.text(f"1/{place}.card", {"move": "Steps are written out.", "source": "abstract"}, origin)
    b.text("1/-1..0", {"text": "From scratchpads to prompts, in my words."}, "person")
    b.text("1/0..+1", {"text": "From one chain to a tree."}, origin)
    b.text("1/dir", {"text": "Gate each step.", "note": "By reflection."}, origin)
    b.text("1/idea", idea(), origin)
    return b


def full(origin: str = "model") -> Builder:
    """A finished session of two branches."""
    b = chain_of_three(origin)
    rows = ((CHECKER, "partial"), (LEAST, "not close"), (GRAPH, "not judged"))
    b.text("1/nov", report("partial", *rows), origin)
    b.text("Q2", {"text": "How can thoughts be searched?"}, origin)
    b.place("2/0", GRAPH, rank=1, of=6, question=2)
    b.text("2/idea", idea(title="Graphs that forget", final="Prune the graph by age."), origin)
    b.text("2/nov", report("INCONCLUSIVE", why="The searches found nothing."), origin)
    results = {**dict.fromkeys(CRITERIA, 1), "clarity": 0}
    b.text("A/1-2", {"first": 1, "second": 2, "results": results}, origin)
    first = b.text("1/exp", plan(), origin)
    points = [
        {"n": 1, "part": "metrics", "point": "Name a measure of cost"},
        {"n": 2, "part": "design", "point": "Say how many seeds"},
        {"n": 3, "part": "baselines", "point": "Add a human baseline"},
    ]
    review = b.text("1/review", {"points": points, "of": first}, origin)
    b.decide("dismiss", "1/review", version=review, point=3, reason="out of reach for us")
    answered = {"answers": [{"point": 1, "change": "Added tokens."}], "metrics": "Tokens per item."}
    b.text("1/exp", plan(**answered), origin, parents=(first,), recipe={"review": review})
    return b


HOSTILE = "[x](javascript:alert(1)) `b` a|b <script>alert(1)</script> **bold** \n# head"


def hostile(bad: str = HOSTILE) -> SessionSnapshot:
    """A session whose every text from outside would be markup."""
    ids = {"arXiv": "2201.11903](javascript:1)", "DOI": "10.1/a)b(c"}
    evil = paper("2201.11903", bad, 2022, bad, venue=bad, ids=ids)
    b = Builder({evil.id: evil})
    b.text("topic", {"text": f"# {bad}"}, "person")
    b.text("Q1", {"text": f"- {bad}", "note": bad})
    b.place("1/0", evil, rank=1, of=6, source=bad, ranked=bad, question=1, query=bad)
    b.text("1/0.card", {"move": bad, "limits": bad, "source": bad, "note": bad})
    b.text("1/dir", {"text": f"# {bad}\n\n- {bad}", "note": bad})
    b.text("1/idea", {name: [bad] if name == "works" else bad for name in idea()})
    searched = {"query": bad, "source": bad, "outcome": "ok", "note": bad}
    b.text("1/nov", report("partial", (evil, "partial"), summary=bad, searches=[searched]))
    listed = {"references": [bad], "claims": [{"name": bad, "description": bad}]}
    first = b.text("1/exp", {name: listed.get(name, bad) for name in plan()})
    b.text("1/review", {"points": [{"n": 1, "part": bad, "point": bad}], "of": first})
    b.decide("accept", "1/0", paper=evil.id, reason=bad)
    return b.subject(name=bad, method=bad, failures={"1/+1.cands": bad})
