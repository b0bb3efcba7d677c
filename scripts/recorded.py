"""Make the session that ``coi demo`` opens from the recorded replies: ``python
scripts/recorded.py`` (some seconds).

The run is that of ``coi demo --headless``; the decisions of a person come after it, so that each
reply answers what it was asked.
"""

from __future__ import annotations

import asyncio
import lzma
import tempfile
from pathlib import Path

from coi_tui import recorded
from coi_tui.paths import Paths
from coi_tui.session.files import session_path
from coi_tui.session.recorded_session import recorded_plans, recorded_run
from coi_tui.session.session import Session

NAME, RECORDED_ON = "recorded", "2026-11-28T16:00:00Z"

NOTE = """\
A recorded run: the texts are recorded answers of a language model, some of them condensed or written for the example, with figures that \
were computed for the example; the papers are those of the starter library, and no network was used. What is \
called yours here was decided by the program's authors, to show what a person can do: a sketch picked and another rejected (W1/wall), a \
paper left out (X), a direction edited (1/dir), a vote on a match (A/1-O1/1).

Change what you like: it is your copy. No language model answers in this session: steps that you run are drafted by rule, as a worksheet, \
and the text that was there before stays in the row's history."""

LEFT_OUT = "Visualizing Dataflow Graphs of Deep Learning Models in TensorFlow"
WHY_LEFT_OUT = (
    "It draws dataflow graphs; it does not specify charts. It comes up by its words alone."
)

OLD_WORDS = (
    "every operator is known and can be fitted with a meter. Callbacks offered no place for one."
)
NEW_WORDS = "every operator is known and can count the rows that it removes. Callbacks left no place to count."
WHY_EDITED = "Says what the meter does, in plain words; the meaning is the same."

WHY_VOTED = "Every chart with controls needs the test once, and all its readers gain; the other helps those who analyse."

REJECTED = "W1/farthest3"
WHY_REJECTED = "Needs cameras and speech; the grammar would be the smallest part of it."


def decide(session: Session) -> None:
    """What a person decides, after the run."""
    session.decide("note", "topic", NOTE)
    paper = next(paper for paper in session.state.papers.values() if paper.title == LEFT_OUT)
    session.decide("avoid", "X", reason=WHY_LEFT_OUT, paper=paper)
    text = session.edits.text_of("1/dir")
    assert text.count(OLD_WORDS) == 1, "the direction that is edited has changed"
    session.edits.save(
        "1/dir", text.replace(OLD_WORDS, NEW_WORDS), reason=WHY_EDITED, wording_only=True
    )
    session.decide("reject", REJECTED, reason=WHY_REJECTED)
    session.decide(
        "vote", "A/1-O1/1", {"criteria": ["significance"], "winner": 1}, reason=WHY_VOTED
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = Paths(data=Path(folder), config=Path(folder), cache=Path(folder))
        with recorded_run(paths, NAME, lambda: RECORDED_ON) as session:
            for plan in recorded_plans(session):
                outcome = asyncio.run(session.runs.run(plan))
                assert outcome.state == "done", outcome.failed
            decide(session)
        recorded.SESSION.write_bytes(
            lzma.compress(session_path(paths, NAME).read_bytes(), preset=9 | lzma.PRESET_EXTREME)
        )


if __name__ == "__main__":
    main()
