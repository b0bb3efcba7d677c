"""The example session: finished and annotated, built from ``example.toml`` at its first opening.

The file holds the texts and decisions. They go through the same steps, decisions and edits as everybody's, so that the session's log, its
freshness and its undo are those of any other. Papers, links, candidates and searches come from the starter library while it is built.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from coi_tui.config import Keys, Settings
from coi_tui.llm.types import ChatReply, ChatRequest, Kind
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths
from coi_tui.session.names import ENDING, session_path
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from coi_tui.store.imports import import_copy

EXAMPLE_MODEL = "example"
"""What stands where a version names its model: the texts were written beforehand."""

Said = Mapping[str, Any]


@cache
def example_file() -> Said:
    """The texts and decisions of the example."""
    return tomllib.loads(Path(__file__).with_name("example.toml").read_text("utf-8"))


def build_example(target: Path) -> None:
    """Build the example apart, with settings and prompts as they are delivered, and put it at ``target``, whole or not at all.

    Raises CoiError where a text or a paper is not there that the acts need.
    """
    with tempfile.TemporaryDirectory(prefix="coi-example-") as folder:
        apart = Paths(data=Path(folder) / "data", config=Path(folder) / "config", cache=Path(folder) / "cache")
        said = example_file()
        bounds = CoiSettings(branches=len(said["questions"]), drafts=1, novelty_queries=3, novelty_hits=5)
        made = Session.create("example", said["topic"], paths=apart, settings=Settings(), keys=Keys(), bounds=bounds, offline=True)
        with made as session:
            asyncio.run(_acted(session, ExampleTexts(said)))
        import_copy(session_path(apart, "example"), target, target.name.removesuffix(ENDING))


async def _acted(session: Session, texts: ExampleTexts) -> None:
    """Do what the file lists, in its order."""
    session.decisions.note("topic", texts.said["note"].strip())
    for act in texts.said["act"]:
        kind = next(key for key in act if key in (*RUNS, *ACTS))
        if kind in RUNS:
            outcome = await session.runs.run(RUNS[kind](session, act[kind]), model=texts)
            if outcome.state != "done":
                raise CoiError("The example session could not be built.", f"{kind} {act[kind]}: {outcome.failed or outcome.stop}")
        else:
            ACTS[kind](session, act, act.get("reason", ""))


# -- the acts -----------------------------------------------------------------------------------------------------------

RUNS: Mapping[str, Callable[[Session, str], Plan]] = {
    "run": lambda session, stage: session.planner.to_stage(stage),
    "review": lambda session, address: session.planner.to_review(address),
    "refine": lambda session, address: session.planner.to_refine(address),
}


def _choose(session: Session, act: Said, reason: str) -> None:
    """Put a paper into a place; where it was proposed there, accept it."""
    address, title = act["choose"]
    held = session.state.papers.get(session.state.slot(address).paper or "")
    if held is not None and held.title == title:
        session.decisions.accept(address, reason)
    else:
        session.decisions.choose(address, title, reason)


def _accept(session: Session, act: Said, reason: str) -> None:
    """Accept papers and texts; one that was chosen is accepted already."""
    for address in act["accept"]:
        if address not in session.state.slots or session.state.slot(address).verdict == "proposed":
            session.decisions.accept(address, reason)


def _reject(session: Session, act: Said, reason: str) -> None:
    """Reject the paper that the reason is about. Raises CoiError where another one was proposed."""
    address, title = act["reject"]
    if (held := session.state.papers.get(session.state.slot(address).paper or "")) is None or held.title != title:
        raise CoiError("The example session could not be built.", f"{title} was not proposed at {address}.")
    session.decisions.reject(address, reason)


def _judge(session: Session, act: Said, reason: str) -> None:
    branch, title, judgement = act["judge"]
    paper = next(p.id for p in session.state.papers.values() if p.title == title)
    session.judgements.judge(int(branch), paper, judgement, reason)


def _vote(session: Session, act: Said, reason: str) -> None:
    match, criterion, winner = act["vote"]
    session.judgements.vote(match, criterion, int(winner), reason)


def _tick(session: Session, act: Said, reason: str) -> None:
    branch, *points = act["tick"]
    for point in points:
        session.judgements.mark_point(branch, point, "tick", reason)


def _adopt(session: Session, act: Said, reason: str) -> None:
    """Use the newest version of a text."""
    session.decisions.adopt(act["adopt"], session.state.cell(act["adopt"]).versions[-1], reason)


def _dismiss(session: Session, act: Said, reason: str) -> None:
    branch, point = act["dismiss"]
    session.judgements.mark_point(branch, point, "dismiss", reason)


ACTS: Mapping[str, Callable[[Session, Said, str], object]] = {
    "accept": _accept,
    "adopt": _adopt,
    "choose": _choose,
    "judge": _judge,
    "vote": _vote,
    "reject": _reject,
    "edit": lambda session, act, reason: session.edits.save(act["edit"], _edited(session, act), reason=reason),
    "note": lambda session, act, _reason: session.decisions.note(act["note"], act["text"]),
    "pick": lambda session, act, reason: session.decisions.pick(act["pick"], reason),
    "dismiss": _dismiss,
    "tick": _tick,
}


def _edited(session: Session, act: Said) -> str:
    """The text of a cell with the part replaced that the act edits."""
    before = session.edits.text_of(act["edit"])
    old = session.state.in_use(act["edit"])
    return before.replace(str(old.content["text"]), act["text"]) if old is not None else act["text"]


# -- the texts -----------------------------------------------------------------------------------------------------------


class ExampleTexts:
    """Answers each prompt with the text that was written for what it is about. A text that is not there is an error, never made up."""

    kind: Kind = "example"

    def __init__(self, said: Said) -> None:
        self.said = said
        self._answers: dict[str, Callable[[Said], Said]] = {
            "coi_questions": lambda _values: {"questions": said["questions"]},
            "coi_relevance": lambda values: self._relevance(values["title"]),
            "coi_relevances": lambda values: {"verdicts": [{"id": c["id"], **self._relevance(c["title"])} for c in values["candidates"]]},
            "coi_read": lambda values: {"references": [], **self._one("card", title=values["title"])},
            "coi_trend": lambda values: self._one("trend", **{"from": values["older"]["title"], "to": values["newer"]["title"]}),
            "coi_direction": lambda values: self._one("direction", tip=values["chain"][-1]["title"]),
            "coi_idea": lambda values: self._one("idea", tip=values["chain"][-1]["title"]),
            "coi_final_idea": lambda values: self._one("idea", tip=values["titles"][-1]["title"]),
            "coi_novelty_queries": lambda values: self._one("novelty", idea=values["idea"]["title"]),
            "coi_novelty_verdicts": lambda values: {"verdicts": self._verdicts(values["idea"]["title"], values["papers"])},
            "coi_match": lambda values: self._one("match", first=values["first"]["title"], second=values["second"]["title"]),
            "coi_experiment": lambda _values: _stripped(said["plan"]),
            "coi_review": lambda values: self._review(values["experiment"]),
            "coi_review_query": lambda _values: {"query": said["further_reading"]["query"]},
            "coi_facts": lambda values: {"facts": said["further_reading"]["facts"].get(values["title"], [])},
            "coi_refine": lambda values: {**_stripped({**said["plan"], **said["refined"]}), "answers": self._changes(values["points"])},
        }

    def model_for(self, role: str) -> str:
        return EXAMPLE_MODEL

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The text for a request. Raises CoiError where the file has none."""
        answer = self._answers.get(request.prompt)
        if answer is None:
            raise CoiError(f"The example has no text for the prompt {request.prompt}.")
        return ChatReply(
            text=json.dumps(answer(request.values), ensure_ascii=False), model_asked=EXAMPLE_MODEL, model_served=EXAMPLE_MODEL,
            prompt_tokens=0, completion_tokens=0, usage_estimated=False, finish_reason="stop", reply_format="example", seconds=0.0,
        )  # fmt: skip

    async def aclose(self) -> None:
        """Nothing is open."""

    def _one(self, table: str, **about: str) -> Said:
        """The row of a table that is about these titles. Raises CoiError where there is none."""
        found = next((row for row in self.said[table] if all(row[key] == value for key, value in about.items())), None)
        if found is None:
            raise CoiError(f"The example has no {table} for {', '.join(about.values())}.")
        return _stripped(found)

    def _review(self, plan: Said) -> Said:
        """The review of the plan; of the refined one the last point is left, which was dismissed."""
        rows = [{"part": row["part"], "point": row["point"]} for row in self.said["review"]]
        if plan["design"] == _stripped(self.said["refined"])["design"]:
            return {"points": rows[-1:], "scores": self.said["scores"]["refined"]}
        return {"points": rows, "scores": self.said["scores"]["plan"]}

    def _relevance(self, title: str) -> Said:
        reason = self.said["of_use"].get(title)
        return {"relevant": reason is not None, "reasoning": reason or self.said["not_of_use"]["default"]}

    def _verdicts(self, idea: str, papers: Sequence[Said]) -> list[Said]:
        """What each paper that the search found says of the claims; of those that nothing was written about, how they came up."""
        about = self._one("novelty", idea=idea)
        written = {row["title"]: {key: value for key, value in row.items() if key != "title"} for row in about["paper"]}
        none = [{"claim": 1, "passage": "", "judgement": "no passage found"}]
        other = {"on_topic": False, "reason": about["otherwise"]}
        return [{"id": paper["id"], "claims": none, **written.get(paper["title"], other)} for paper in papers]

    def _changes(self, points: Sequence[Said]) -> list[Said]:
        """What answers each review point that is to be answered."""
        changes = {row["point"]: row.get("change", "") for row in self.said["review"]}
        return [{"point": n, "change": changes[point["point"]]} for n, point in enumerate(points, start=1)]


def _stripped(said: Said) -> dict[str, Any]:
    """The texts without the line breaks that only the file's layout needs."""
    return {key: value.strip("\n") if isinstance(value, str) else value for key, value in said.items()}
