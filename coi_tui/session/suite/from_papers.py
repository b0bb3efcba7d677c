"""A suite made from real papers: the topic, the idea and the experiment of each, told so that nothing
shows where they come from (tables 21 to 23 of Chain of Ideas)."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from coi_tui.config import Settings
from coi_tui.engine.budget import Budget
from coi_tui.engine.declarations import Cost
from coi_tui.methods.base.reply_models import RealPaper
from coi_tui.model.errors import CoiError, UsageError, in_full
from coi_tui.model.money import Limit
from coi_tui.model.text import clean, clean_line, count, digest
from coi_tui.paths import MOST_TEXT, make_folder, read_file, write_whole
from coi_tui.session.environment import Environment
from coi_tui.session.papers.own_papers import read_pdf
from coi_tui.session.runs.plans import PlanLine, price_of
from coi_tui.session.service_setup import open_services
from coi_tui.session.settings import setup_of
from coi_tui.session.suite.asking import open_asker
from coi_tui.session.suite.suite_texts import Sessions

SHOWN = 24_000
"""Characters of a paper that the model is shown: its beginning."""
ENDINGS = (".md", ".txt", ".pdf")


def papers_in(folder: Path, out: Path) -> list[Path]:
    """The papers of a folder, in the order of their names. Raises UsageError where there are none, and
    where the suite to be written is there already."""
    if out.exists():
        raise UsageError(f"{out} is there already.", "Name another file.")
    try:
        found = sorted(file for file in folder.iterdir() if file.suffix.lower() in ENDINGS)
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror or error}.") from None
    if not found:
        raise UsageError(f"{folder} has no paper: no file that ends in {', '.join(ENDINGS)}.")
    return found


def plan(files: list[Path], settings: Settings) -> PlanLine:
    """What it takes to read them."""
    cost = Cost("main", (1, 2), (1_500, SHOWN // 4 + 600), (600, 1_500)).times(
        len(files), len(files)
    )
    llm = settings.llm
    price = price_of(cost, llm.main.model, llm.prices, llm.base_url)
    return PlanLine(count(len(files), "paper"), "topic, idea and experiment of each", cost, price)


async def make_suite(files: list[Path], out: Path, env: Environment) -> dict[str, str]:
    """Write SUITE.toml and beside it a text for each paper. The papers that could not be read or told,
    with the cause; with any of these no suite is written, and a second call asks only for them.
    Raises UsageError without a model."""
    settings, paths = env.settings, env.paths
    if env.model is None and not setup_of(settings, env.keys, False).online_model:
        raise UsageError("Papers are read by a language model, and none is set up.")
    folder = out.with_suffix("")
    sessions = Sessions(replace(env, paths=replace(paths, data=folder)), "")
    failed, found = dict[str, str](), dict[int, RealPaper]()
    budget = Budget(left=Limit(settings.budget_usd, settings.budget_tokens))
    name = f"papers-{digest([settings.llm.main.model, settings.llm.base_url])[:8]}"
    async with (
        open_services(env, offline=False) as tools,
        open_asker(sessions, name, tools.model, settings.llm, budget) as asker,
    ):

        async def read(number: int, file: Path) -> None:
            try:
                if file.suffix.lower() == ".pdf":
                    text = (await read_pdf(file)).looked.text.text
                else:
                    text = clean(read_file(file, MOST_TEXT).decode("utf-8-sig"))
                found[number] = await asker.ask("arena_paper", {"text": text[:SHOWN]}, RealPaper)
            except (CoiError, OSError, UnicodeDecodeError) as error:
                failed[file.name] = in_full(error)

        await asyncio.gather(*(read(number, file) for number, file in enumerate(files, start=1)))
    if not failed:
        make_folder(folder / "papers")
        for number, paper in found.items():
            text = f"{clean(paper.idea)}\n\n{clean(paper.experiment)}\n"
            write_whole(folder / "papers" / f"{number}.md", text)
        topics = [clean_line(found[number].topic) for number in sorted(found)]
        write_whole(out, _suite(topics, f"{folder.name}/papers", settings.llm.main.model))
    return failed


def _suite(topics: list[str], texts: str, judge: str) -> str:
    """A suite in which both plain ways meet the papers; a person adds to it."""
    rows = "\n".join(f"    {json.dumps(topic, ensure_ascii=False)}," for topic in topics)
    parts = [
        f"topics = [\n{rows}\n]",
        '[[contestant]]\nname = "chain"\nmethod = "Chain of Ideas"',
        '[[contestant]]\nname = "one call"\nmethod = "One call"',
        f'[[contestant]]\nname = "real papers"\ntexts = {json.dumps(texts, ensure_ascii=False)}',
        f'[[judge]]\nname = "judge"\nmodel = {json.dumps(judge)}',
    ]
    return "\n\n".join(parts) + "\n"
