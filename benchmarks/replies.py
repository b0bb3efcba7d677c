"""``python -m benchmarks.replies``: seeded runs against a model server whose replies are sound but for some items.

items   1 of 5 verdicts is unreadable, missing or for another label; 1 of 10 lists has a blank item, 1 of 10 is over-long:
        every run reaches the proposal, and nothing in the session was said by nobody
echo    every reply repeats the example of its prompt, in three styles, prompt by prompt and in whole runs: none is accepted
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from benchmarks.coi_process import table
from benchmarks.standins import ChatOptions, Settings, StandIns, make_corpus
from benchmarks.standins.chat_replies import Asked
from benchmarks.standins.item_faults import ECHOES, echoed
from coi_tui.config import Keys, LlmSettings, SourceSettings
from coi_tui.config import Settings as AppSettings
from coi_tui.llm.replies import Unreadable, read_reply
from coi_tui.llm.reply_items import hints_of
from coi_tui.methods.coi import replies as coi_replies
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.methods.imitate import replies as imitate_replies
from coi_tui.methods.nova import replies as nova_replies
from coi_tui.methods.one_call import forms as one_call_replies
from coi_tui.methods.scipip import replies as scipip_replies
from coi_tui.methods.shared import replies as shared_replies
from coi_tui.methods.shared.novelty import FAR
from coi_tui.methods.virsci import replies as virsci_replies
from coi_tui.model.calls import Call
from coi_tui.model.entries import Version
from coi_tui.paths import paths
from coi_tui.prompts.loader import Prompts
from coi_tui.session.session import Session

OURS = (
    "The verdict could not be read.",
    "The verdict could not be read; not taken.",
    "There is no abstract to compare with.",
    FAR,
)
"""Reasons that the program gives by itself, each beside a paper without a verdict."""
SAID_BY_MODEL = ("card", "t", "dir", "idea", "exp", "review", "nov", "rel")
_NOT_SAID = frozenset(
    (
        "paper",
        "source",
        "note",
        "query",
        "date",
        "outcome",
        "verdict",
        "why",
        "summary",
        "idea",
        "found_by",
        "queries",
        "searches",
        "closest",
        "of",
        "support",
        "chosen",
        "about",
        "named",
    )
)
"""Fields that the program fills in itself, from what was searched and counted."""


@dataclass
class Taken:
    """What came of one run."""

    seed: int
    state: str = ""
    stage: str = ""
    failed: Mapping[str, str] = field(default_factory=dict)
    calls: int = 0
    invented: list[str] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    not_judged: int = 0
    made_by_model: int = 0

    @property
    def reached(self) -> bool:
        return self.state == "done" and self.stage == "proposal"


async def one(seed: int, topic: str, home: Path, branches: int = 1, echo: str = "") -> Taken:
    """One run in this process."""
    chat = ChatOptions(echo=echo) if echo else ChatOptions(item_faults=seed + 1)
    async with StandIns(Settings(chat=chat)) as pair:
        settings = AppSettings(
            llm=LlmSettings(base_url=pair.chat_url),
            semantic_scholar=SourceSettings(base_url=pair.s2_url),
        )
        places = paths({"COI_HOME": str(home)})
        with Session.create(
            "run",
            topic,
            paths=places,
            settings=settings,
            keys=Keys(),
            bounds=CoiSettings(branches=branches, one_call=False),
        ) as session:
            outcome = await session.runs.run(session.planner.to_stage())
            return judged(
                Taken(seed, outcome.state, session.queries.stage_reached(), dict(outcome.failed)),
                session,
            )


def judged(found: Taken, session: Session) -> Taken:
    """What the session holds after a run."""
    calls = [call for call in session.core.file.calls(replies=True) if call.kind == "chat"]
    said = "\n".join(texts_of_reply(calls))
    found.calls = len(calls)
    for version in session.state.versions.values():
        if version.origin != "model":
            continue
        found.made_by_model += 1
        found.notes.update(kind_of(note) for note in version.recipe.get("changes", ()))
        found.invented += [
            f"{version.address}: {text[:60]}"
            for text in texts_of(version)
            if text not in said and text not in OURS
        ]
        rows = [
            row
            for name in ("papers", "verdicts")
            for row in version.content.get(name) or ()
            if isinstance(row, dict)
        ]
        found.not_judged += sum(
            row.get("verdict") == "not judged" or bool(row.get("unread")) for row in rows
        )
    return found


def texts_of_reply(calls: list[Call]) -> Iterator[str]:
    """Every text of the raw replies, as JSON spells it out."""
    for call in calls:
        try:
            yield from _leaves(json.loads(str(call.reply.get("text", ""))), frozenset())
        except ValueError:
            yield str(call.reply.get("text", ""))


def texts_of(version: Version) -> Iterator[str]:
    """What a version holds as the model's words."""
    part = version.address.rpartition("/")[2].rpartition(".")[2]
    if part in SAID_BY_MODEL or ".." in version.address:
        yield from (
            text.strip().removeprefix("refuted if ")
            for text in _leaves(version.content, _NOT_SAID)
            if text.strip()
        )


def _leaves(tree: Any, leave_out: frozenset[str]) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, Mapping):
        for key, inner in tree.items():
            if key not in leave_out:
                yield from _leaves(inner, leave_out)
    elif isinstance(tree, list | tuple):
        for inner in tree:
            yield from _leaves(inner, leave_out)


def kind_of(note: str) -> str:
    """A note without its numbers and names."""
    kinds = (
        "blank",
        "unreadable",
        "only the prompt's example",
        "was cut from",
        "not shown",
        "even after asking",
        "does not exist",
    )
    return next((kind for kind in kinds if kind in note), note)


def run(seed: int, branches: int = 1, echo: str = "") -> Taken:
    """A run of one seed in a home of its own."""
    topics = make_corpus().topics
    with tempfile.TemporaryDirectory() as home:
        return asyncio.run(one(seed, topics[seed % len(topics)], Path(home), branches, echo))


def schemas() -> dict[str, type[BaseModel]]:
    """The reply of every prompt, by the prompt's name."""
    prompts = Prompts()
    methods = (
        shared_replies,
        coi_replies,
        scipip_replies,
        nova_replies,
        imitate_replies,
        virsci_replies,
        one_call_replies,
    )
    known = {name: held for module in methods for name, held in vars(module).items()}
    return {name: known[prompts.get(name).reply] for name in prompts.names()}


def styles_of(schema: type[BaseModel]) -> tuple[str, ...]:
    texts = [
        info
        for info in schema.model_fields.values()
        if info.annotation is str and info.is_required()
    ]
    return ECHOES if len(texts) > 1 else ECHOES[:2]


def accepted_echoes() -> list[tuple[str, str]]:
    """Prompts and styles of which a reply that repeats the example would be taken. One text in all fields takes two fields at least."""
    prompts, taken = Prompts(), []
    for name, schema in schemas().items():
        text = prompts.get(name).text
        for style in styles_of(schema):
            data = echoed(
                style,
                Asked("json_schema", schema.__name__, schema.model_json_schema()),
                [("user", f"P1 P2 {text}")],
            )
            try:
                read_reply(json.dumps(data), "stop", schema, hints_of(text))
            except Unreadable:
                continue
            taken.append((name, style))
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replies", description=__doc__)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--branches", type=int, default=1, help="K of each run")
    args = parser.parse_args()
    runs = [run(seed, args.branches) for seed in range(args.first, args.first + args.count)]
    for found in runs:
        if not found.reached or found.invented:
            print(
                f"seed {found.seed}: {found.state} at {found.stage}, failed {dict(found.failed)}, invented {found.invented[:3]}"
            )
    notes = sum((found.notes for found in runs), Counter[str]())
    print(
        table(
            [(kind, number) for kind, number in notes.most_common()], ("noted in versions", "times")
        )
    )
    reached, invented = sum(r.reached for r in runs), sum(bool(r.invented) for r in runs)
    print(
        f"items: {reached} of {len(runs)} runs reach the proposal, {invented} with invented text;"
        f" {sum(r.calls for r in runs)} calls, {sum(r.not_judged for r in runs)} papers not judged"
    )
    taken = accepted_echoes()
    tried = sum(len(styles_of(schema)) for schema in schemas().values())
    print(f"echo: {len(taken)} of {tried} replies that repeat the example accepted", *taken)
    for style in ECHOES:
        found = run(args.first, 1, style)
        cause = next(iter(found.failed.values()), "")
        print(
            f"echo run, {style}: {found.state}, {found.calls} calls, {found.made_by_model} texts made; {cause}"
        )


if __name__ == "__main__":
    main()
