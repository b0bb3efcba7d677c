"""Generated sessions: as many branches, papers and decisions as asked for, written through the
store as the app would write them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from coi_tui.config import Keys, Settings
from coi_tui.engine.freshness import meanings_now
from coi_tui.model.address import pair, slot
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.papers import Paper
from coi_tui.paths import Paths, paths
from coi_tui.session.environment import Environment
from coi_tui.session.queries.rows import save_summary
from coi_tui.session.session import Session

SENTENCE = "The chain of earlier work shows what was tried, where it stops, and which question it leaves open. "
CLOCK = "2026-03-01T09:00:00Z"


def home_paths(home: Path) -> Paths:
    return paths({"COI_HOME": str(home)})


def generated(
    home: Path,
    name: str = "big",
    *,
    branches: int = 10,
    papers: int = 60,
    decisions: int = 2000,
    text: int = 600,
    waves: int = 9,
    active: int = 99,
    offline: bool = True,
) -> Path:
    """A session with chains of ``papers / branches`` papers, a text for every cell (``text``
    characters), and at least
    ``decisions`` decisions of a person. ``waves``: 2 stops after the cards; ``active``: branches
    beyond are parked, so that a run leaves them out. Returns its file."""
    session = Session.create(
        name,
        "generated: how chains of ideas grow",
        Environment(home_paths(home), Settings(), Keys(), clock=lambda: CLOCK),
        offline=offline,
    )
    try:
        session.journal.write(
            [
                Decision(
                    actor="you",
                    action="settings",
                    address="session",
                    value={"branches": min(branches, 5)},
                    creation=True,
                )
            ]
        )
        long = papers // branches
        places = list(range(-((long - 1) // 2), long // 2 + 1))
        known = [paper(b, pos) for b in range(1, branches + 1) for pos in places]
        session.journal.write(list(chains(branches, places)), known)
        words = (SENTENCE * (text // len(SENTENCE) + 1))[:text]
        for wave in islice(cells(branches, places, words), waves):
            session.journal.write([made(session, address, content) for address, content in wave])
        session.journal.write(
            list(notes(branches, places, decisions - len(session.decision_log())))
        )
        parked = [
            Decision(actor="you", action="park", address=str(b))
            for b in range(active + 1, branches + 1)
        ]
        if parked:
            session.journal.write(parked)
        save_summary(session)
        return session.file.path
    finally:
        session.close()


def paper(branch: int, pos: int) -> Paper:
    return Paper(
        id=f"arxiv:24{branch:02}.{pos + 500:05}",
        title=f"Branch {branch}, place {pos}: a study of steps between ideas",
        year=2020 + pos % 6,
        abstract=SENTENCE * 8,
        ids={"arxiv": f"24{branch:02}.{pos + 500:05}"},
    )


def made(session: Session, address: str, content: dict[str, object]) -> Version:
    """A drafter's version, made from what its step reads now, so that it is fresh."""
    step = session.methods.task(address)
    reads = [r for r in step.reads(session.state, address) if not r.parent] if step else []
    inputs = meanings_now(session.state, reads)
    return Version(
        actor="coi",
        address=address,
        content=content,
        meanings=meanings_of(content),
        origin="drafter",
        inputs=inputs,
    )


def chains(branches: int, places: list[int]) -> Iterator[Decision]:
    """Each chain from its anchor outwards, as it would have grown; the anchors accepted."""
    for b in range(1, branches + 1):
        for pos in sorted(places, key=abs):
            value = {"paper": paper(b, pos).id, "why": {"by": "generated"}}
            yield Decision(actor="coi", action="propose", address=slot(b, pos), value=value)
        yield Decision(
            actor="you", action="accept", address=slot(b, 0), value={"paper": paper(b, 0).id}
        )


def cells(
    branches: int, places: list[int], words: str
) -> Iterator[list[tuple[str, dict[str, object]]]]:
    """Questions, cards, trends, directions, ideas and plans, in the waves in which one is made from
    another."""
    every = range(1, branches + 1)
    fields = ("problem", "move", "evidence", "use", "limits", "method", "experiment")
    card: dict[str, object] = dict.fromkeys(fields, words)
    card |= {
        "entities": [{"name": "chain", "description": words[:60]}],
        "references": [],
        "source": "abstract",
    }
    yield [(f"Q{b}", {"text": f"Question {b}? {words[:80]}"}) for b in every]
    yield [(f"{slot(b, pos)}.card", card) for b in every for pos in places]
    yield [(pair(b, pos), {"text": words}) for b in every for pos in places[:-1]]
    yield [(f"{b}/dir", {"text": words}) for b in every]
    yield [
        (
            f"{b}/idea",
            {
                "title": f"Idea {b}",
                "summary": words,
                "problem": words,
                "mechanism": words,
                "final": words,
            },
        )
        for b in every
    ]
    yield [(f"{b}/exp", {"design": words, "metrics": words[:80]}) for b in every]


def notes(branches: int, places: list[int], count: int) -> Iterator[Decision]:
    """The decisions of a person: notes and protections over all rows, valid in any state."""
    every = [slot(b, pos) for b in range(1, branches + 1) for pos in places]
    for n in range(count):
        address, kind = every[n % len(every)], n // len(every) % 3
        if kind == 0:
            yield Decision(actor="you", action="note", address=address, value={"text": f"note {n}"})
        else:
            yield Decision(
                actor="you", action="protect" if kind == 1 else "unprotect", address=address
            )
