"""What prompts are told and where it comes from: declared reads and nothing else."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Result, Task
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.engine.recorder import Recorder
from coi_tui.methods.base.rewrite import PROMPT, RewriteTask
from coi_tui.methods.branched import BranchedMethod
from coi_tui.model.address import Branch
from coi_tui.model.entries import Decision
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import Desk, copy_of
from tests.support.script import HashModel, Say
from tests.support.toy import journal_of

TAINT = "\N{BIOHAZARD SIGN}"
"""Stands in every text that a task could only get from ``ctx.state``."""
MARK = "\N{WHITE HEAVY CHECK MARK}"
"""Stands in every text that a task gets from its declared reads."""

EXEMPT = {
    ("coi_questions", "count"): "a constant",
    ("coi_novelty_queries", "count"): "a bound of the method",
    ("coi_ask", "kind"): "what the cell is called",
    ("coi_ask", "parts"): "the names of its parts",
    ("coi_rewrite", "failed"): "words of this step's own searches",
    ("sketches", "lens"): "the task itself",
    ("sketches", "number"): "a constant",
    ("sketches", "reading"): "the records of papers whose ids stand in the declared entries",
    ("work_out", "rivals"): "the records of papers whose ids stand in the declared look-up",
    (
        "coi_novelty_verdicts",
        "claims",
    ): "the reply to this step's own first call, or what a person wrote",
    ("coi_novelty_verdicts", "papers"): "found by this step's own searches",
    ("coi_search_against", "count"): "a bound of the method",
    ("coi_search_against", "source"): "the name of the service that is asked",
    ("coi_search_against", "known"): "the records of papers whose ids stand in the declared report",
    ("coi_relevances", "neighbour"): "the record of the paper whose id is declared as the list's",
    ("coi_relevances", "side"): "the place itself",
    (
        "coi_relevances",
        "candidates",
    ): "the records of papers whose ids stand in the declared entries",
    ("coi_read", "kind"): "the source's label of the text of the declared paper",
    ("coi_read", "text"): "the source's text of the declared paper",
    ("coi_facts", "title"): "found by this step's own search",
    ("coi_facts", "year"): "the same",
    ("coi_facts", "kind"): "the same",
    ("coi_facts", "text"): "the same",
    ("coi_proposal", "papers"): "the records of papers whose ids are declared, under labels",
    ("coi_refine", "facts"): "replies to this step's own calls",
    ("coi_review", "dismissed"): "the researcher's decisions about the points of earlier reviews",
}
SECOND_REVIEW = ("coi_review", "experiment")
"""A refinement has its own reply reviewed."""


def marked(value: Any, mark: str) -> Any:
    """The value with a mark before every text in it; ids of papers stay, so that records can be
    found."""
    if isinstance(value, Paper):
        return value.model_copy(
            update={
                "title": mark + value.title,
                "abstract": mark + (value.abstract or ""),
                "datasets": tuple(mark + d for d in value.datasets),
                "baselines": tuple(mark + b for b in value.baselines),
            }
        )
    if isinstance(value, dict):
        return {
            k: v if k in ("paper", "of", "chosen") else marked(v, mark) for k, v in value.items()
        }
    if isinstance(value, list):
        return [marked(v, mark) for v in value]
    return mark + value if isinstance(value, str) else value


class MarkedInputs(Inputs):
    def __init__(self, state: State, address: str, reads: Iterable[Read]) -> None:
        super().__init__(state, address, reads)
        for ref, value in self._values.items():
            if not ref.endswith("#of"):
                self._values[ref] = marked(value, MARK)


def tainted(state: State) -> State:
    """A copy of the state in which every text of every cell is tainted. The records of papers are
    facts and stay."""
    new = deepcopy(state)
    for seq, version in new.versions.items():
        new.versions[seq] = version.model_copy(
            update={"content": marked(dict(version.content), TAINT)}
        )
    new.notes = {"1/idea": TAINT}
    new.forget()
    return new


def texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for v in value.values():
            yield from texts(v)
    elif isinstance(value, list | tuple):
        for v in value:
            yield from texts(v)
    elif isinstance(value, str) and value:
        yield value


NOTHING_FITS: Mapping[str, Say] = {"coi_relevance": lambda _: {"reasoning": "r", "relevant": False}}


def requests_of(
    desk: Desk, step: Task, address: str, say: Mapping[str, Say] | None = None
) -> list[ChatRequest]:
    """What a task sends when its inputs are marked and everything else of the state is tainted."""
    state, model = desk.state, HashModel(say)
    desk.model = model
    ran = next((s for s in desk.method.every_task if s.name == step.name), step)
    if isinstance(step, RewriteTask):
        ran = replace(step, own=ran, tools=desk.tools)
    inputs = MarkedInputs(state, address, ran.reads(state, address))
    ctx = Context(Recorder(journal_of(), Budget()), tainted(state), address, ran.name)

    async def run() -> Result:
        return await ran.run(ctx, inputs)

    asyncio.run(run())
    return model.requests


def prompts_of(method: BranchedMethod) -> set[str]:
    """The names of the prompts of all tasks of a method."""
    return {prompt for task in method.every_task for prompt in task.prompts}


def steps_and_addresses(desk: Desk) -> list[tuple[Task, str]]:
    method, state = desk.method, desk.state
    out = [(step, a) for a in state.cells if (step := method.task(a)) is not None]
    by_name = {step.name: step for step in method.every_task}
    on = reviewed(desk)
    return [
        *out,
        (by_name["refine"], f"{on}/exp"),
        (by_name["search against"], "1/nov"),
        (by_name["ask first"], "1/asked"),
    ]


def reviewed(desk: Desk) -> Branch:
    """The branch whose plan was reviewed."""
    state = desk.state
    return next(branch for branch in state.branches if state.in_use(f"{branch}/review") is not None)


def tick_a_point(desk: Desk) -> None:
    """Without a tick a refinement that is asked for sends nothing."""
    desk.session.decide("tick", f"{reviewed(desk)}/review", 1)


def undeclared(requests: Iterable[ChatRequest], own: bool = False) -> list[tuple[str, str, str]]:
    """Values shown that carry the taint, or that do not come from a declared read and are not
    exempt; ``own``: of a refinement."""
    out = []
    for r in requests:
        for name, value in r.values.items():
            for text in texts(value):
                if re.fullmatch(r"P\d+|arXiv:\S+", text):
                    continue  # the label of a paper, and the id that it stands for
                free = (r.prompt, name) in {*EXEMPT, *[SECOND_REVIEW] * own}
                if TAINT in text or (MARK not in text and not free):
                    out.append((r.prompt, name, text))
    return out


def test_every_value_shown_to_the_model_comes_from_a_declared_read(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "proposal")
    tick_a_point(desk)
    desk.edits.save("means", "2 GPUs")
    sent: set[str] = set()
    for step, address in steps_and_addresses(desk):
        requests = requests_of(desk, step, address)
        assert undeclared(requests, step.name == "refine") == [], (step.name, address)
        sent |= {r.prompt for r in requests}
    judging = next(step for step in desk.method.every_task if step.name == "relevance")
    requests = requests_of(
        desk, judging, "1/-1.rel", NOTHING_FITS
    )  # then several candidates are judged in a call
    requests += requests_of(desk, desk.method.every_task[0], "1/0.cands", NOTHING_FITS)
    assert undeclared(requests) == []
    # where nothing is found, a text is unclear, or there is a wall
    seldom = {"coi_rewrite", "coi_sentences", "sketch_ranking"}
    assert sent | {r.prompt for r in requests} | seldom == prompts_of(desk.method)


def test_what_a_person_asked_for_is_a_declared_read_too(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small")
    for address in ("1/0.card", "1/dir", "1/idea"):
        asked = Decision(actor="you", action="ask", address=address, value={"wish": "shorter"})
        desk.session.write([asked])
        step = desk.session.methods.task(address)
        assert isinstance(step, RewriteTask)
        requests = requests_of(desk, step, address)
        assert [r.prompt for r in requests] == [PROMPT]
        assert undeclared(requests) == []


@pytest.mark.parametrize("field", ["text", "note"])
def test_a_private_note_is_never_shown(tmp_path: Path, field: str) -> None:
    desk = copy_of(tmp_path, "one")
    desk.session.decide("note", "1/idea", f"private {field}")
    desk.session.decide("note", "topic", f"private {field}")
    desk.edits.save("topic", "another topic")
    desk.refresh()
    assert desk.model.requests
    assert not any("private" in r.system + r.user for r in desk.model.requests)
