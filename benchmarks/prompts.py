"""``python -m benchmarks.prompts SESSION.coi.db PROMPT...``: the first call of each prompt in a session, as it was sent and answered.

Without a session, a run against the stand-ins is made first; without prompts, those of direction, draft and final idea are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from benchmarks.standins import ChatOptions, Settings, StandIns, make_corpus
from coi_tui.config import Keys, LlmSettings, SourceSettings
from coi_tui.config import Settings as AppSettings
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.paths import paths
from coi_tui.session.session import Session
from coi_tui.store.session_file import SessionFile

SHOWN = ("coi_direction", "coi_idea", "coi_final_idea")


async def made(home: Path) -> Path:
    """The file of a session of one branch that is run to its idea on fresh services in this process."""
    async with StandIns(Settings(chat=ChatOptions())) as pair:
        settings = AppSettings(
            llm=LlmSettings(base_url=pair.chat_url),
            semantic_scholar=SourceSettings(base_url=pair.s2_url),
        )
        places = paths({"COI_HOME": str(home)})
        topic = next(iter(make_corpus().topics))
        with Session.create(
            "run",
            topic,
            paths=places,
            settings=settings,
            keys=Keys(),
            bounds=CoiSettings(branches=1),
        ) as session:
            await session.runs.run(session.planner.to_stage("ideas"))
            return session.core.file.path


def show(path: Path, prompts: list[str]) -> None:
    """Print the first call of each prompt."""
    with SessionFile.open(path, read_only=True) as file:
        calls = file.calls(replies=True)
    for name in prompts:
        call = next((c for c in calls if c.prompt == name), None)
        if call is None:
            print(f"\n===== {name}: not asked in this session")
            continue
        print(
            f"\n===== {name} v{call.request['version']} at {call.address}: {call.prompt_tokens} tokens in, {call.completion_tokens} out"
        )
        for heading, text in (
            ("SYSTEM", call.request["system"]),
            ("USER", call.request["user"]),
            ("ANSWER", call.reply.get("text", "")),
        ):
            print(f"--- {heading}\n{text}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompts", description=__doc__)
    parser.add_argument(
        "session", nargs="?", type=Path, help="a session file; none: a run against the stand-ins"
    )
    parser.add_argument(
        "prompts",
        nargs="*",
        default=list(SHOWN),
        help=f"names of prompts (default: {' '.join(SHOWN)})",
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        show(args.session or asyncio.run(made(Path(home))), args.prompts or list(SHOWN))


if __name__ == "__main__":
    main()
